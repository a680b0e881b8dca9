// What Config/package builds, as far as it can be tried without root.

import TestSupport
import Testing

@Suite struct PackageFileTests {
    private static let tools = ["dpkg-shlibdeps", "patchelf", "pip3", "pytest-3"]

    @Test(
        "The wheel, the archive and the Debian packages have the same files, which pip installs and which run anywhere",
        .enabled(
            if: Programs.isServerShipped && tools.allSatisfy(Program.isInstalled),
            "dpkg-dev, patchelf, python3-pip and python3-pytest are installed"))
    func packages() throws {
        let folder = try TemporaryFolder()
        let words = ["--all", "--binaries", Programs.shipped, "--output", folder.path]
        let build = try Program(Programs.package + "/Config/package", words)
        let paths = build.outputAtEnd()
        try #require(build.exitStatus == 0, "\(paths)")
        let checks = try Program(
            "/usr/bin/python3", [Programs.package + "/Tests/Programs/check_packages.py", folder.path])
        let output = checks.outputAtEnd()
        #expect(checks.exitStatus == 0, "\(output)")
    }
}
