// The version of the package.

/// The version of the package, for all its programs.
package enum PackageVersion {
    /// The same as in Config/debian/changelog and in the Python module, as tests check.
    package static let current = "0.1.0"
}
