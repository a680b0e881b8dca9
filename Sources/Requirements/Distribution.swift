// Linux distributions, and their package managers.

import MullionSystem

/// A distribution, as os-release(5) describes it.
package struct Distribution: Equatable, Sendable {
    /// Distributions with the same names of packages.
    package enum Family: String, CaseIterable, Sendable {
        case debian, fedora, arch

        /// For people.
        package var title: String {
            switch self {
            case .debian: "Debian, Ubuntu"
            case .fedora: "Fedora, RHEL"
            case .arch: "Arch"
            }
        }

        /// What installs packages, without their names.
        package var command: String {
            switch self {
            case .debian: "apt-get install"
            case .fedora: "dnf install"
            case .arch: "pacman -S"
            }
        }

        /// - Parameter id: an identifier of os-release.
        fileprivate init?(_ id: Substring) {
            switch id {
            case "debian", "ubuntu": self = .debian
            case "fedora", "rhel", "centos": self = .fedora
            case "arch": self = .arch
            default: return nil
            }
        }
    }

    /// That of this machine.
    package static let current = Distribution(
        osRelease: ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap {
            try? DescriptorIO.contents(ofRegularFile: $0, atMost: 1 << 16)
        }.first.map { String(decoding: $0, as: UTF8.self) } ?? "")

    /// Such as "debian"; empty when unknown.
    package let id: String
    /// For people, such as "Debian GNU/Linux 12 (bookworm)".
    package let name: String
    /// Nil: its names of packages are unknown.
    package let family: Family?

    /// - Parameter text: the contents of an os-release file.
    package init(osRelease text: String) {
        var values: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = String(line[line.index(after: equals)...].filter { !"\"'".contains($0) })
        }
        id = values["ID"] ?? ""
        name = values["PRETTY_NAME"] ?? values["NAME"] ?? (id.isEmpty ? "this system" : id)
        family = "\(id) \(values["ID_LIKE"] ?? "")".split(separator: " ").lazy.compactMap { Family($0) }.first
    }

    /// The packages that have these, without repetitions.
    package static func packages(of requirements: [Requirement], in family: Family) -> [String] {
        var seen: Set<String> = []
        return requirements.flatMap { $0.packages?[family] ?? [] }.filter { seen.insert($0).inserted }
    }
}

extension Requirement {
    /// The command that installs it, the end of a message for people.
    package var remedy: String {
        if let family = Distribution.current.family, let names = packages?[family] {
            return "use \(family.command) \(names.joined(separator: " "))"
        }
        let feature = Feature.all.first { $0.needs.contains { $0.requirement == self } }
        return "see mullionctl doctor \(feature?.name ?? "")"
    }
}
