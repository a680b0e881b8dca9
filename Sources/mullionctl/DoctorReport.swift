// What `mullionctl doctor` has found.

import Glibc
import JSON5
import Requirements

/// What this machine has and lacks of what features need.
struct DoctorReport {
    private enum State: String {
        case fine
        /// It works, but less well than it could.
        case limited
        case missing
        /// No program that uses it is installed.
        case unused
    }

    private struct Finding {
        let feature: Feature
        let isRequired: Bool
        let state: State
        /// What explains the state.
        let missing: [Feature.Need]

        init(_ feature: Feature, isRequired: Bool, on machine: Machine) {
            (self.feature, self.isRequired) = (feature, isRequired)
            guard isRequired || machine.mayUse(feature) else {
                (state, missing) = (.unused, [])
                return
            }
            let absent = feature.needs.filter { !machine.has($0.requirement) }
            let vital = absent.filter(\.isVital)
            state = vital.isEmpty ? absent.isEmpty ? .fine : .limited : .missing
            // Without FFmpeg, its encoders are not worth mentioning, nor are particular fonts without any.
            missing = absent.filter { need in
                let packages = need.requirement.packages
                return need.isVital || vital.isEmpty
                    || packages != nil && !vital.contains { $0.requirement.packages == packages }
            }
        }

        /// Whether the loss of something makes a required feature fail.
        func isRequired(_ need: Feature.Need) -> Bool { isRequired && need.isVital }
    }

    private let findings: [Finding]
    private let distribution = Distribution.current

    /// - Parameter names: of the features that are required besides the essential ones; empty: all others are examined too.
    init(requiring names: [String]) {
        let machine = Machine()
        findings = Feature.all.compactMap { feature in
            let isRequired = feature.isEssential || names.contains(feature.name)
            return isRequired || names.isEmpty ? Finding(feature, isRequired: isRequired, on: machine) : nil
        }
    }

    /// Whether no required feature is missing.
    var isComplete: Bool { !findings.contains { $0.isRequired && $0.state == .missing } }

    private var absent: [Requirement] {
        findings.flatMap(\.missing).map(\.requirement).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    // MARK: For people

    /// What matters most comes first.
    var text: String {
        var parts = [
            table("needed") { $0.isRequired($1) }, table("optional") { !$0.isRequired($1) }, installation,
        ]
        let states = [("fine", State.fine), ("not used here", .unused)].compactMap { title, state in
            let names = findings.filter { $0.state == state }.map(\.feature.name)
            return names.isEmpty ? nil : "\(title): \(names.joined(separator: ", "))\n"
        }
        parts.append(states.joined())
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func table(_ title: String, of isMeant: (Finding, Feature.Need) -> Bool) -> String {
        var table = Table(title, "missing", "without it")
        for finding in findings {
            for need in finding.missing where isMeant(finding, need) {
                table.add(finding.feature.name, need.requirement.title, need.without)
            }
        }
        return table.text
    }

    private var installation: String {
        func line(_ family: Distribution.Family) -> String {
            let sudo = geteuid() == 0 ? "" : "sudo "
            return "\(sudo)\(family.command) \(Distribution.packages(of: absent, in: family).joined(separator: " "))\n"
        }
        guard absent.contains(where: { $0.packages != nil }) else { return "" }
        guard let family = distribution.family else {
            let lines = Distribution.Family.allCases.map { "  \($0.title): \(line($0))" }
            return "The packages of \(distribution.name) are unknown; elsewhere the command is\n\(lines.joined())"
        }
        // RHEL has neither ISA-L nor FFmpeg.
        let note = family == .fedora && distribution.id != "fedora" ? "What it does not find is in EPEL.\n" : ""
        return "To install what is missing on \(distribution.name):\n  \(line(family))\(note)"
    }

    // MARK: For programs

    var json: JSON {
        .object([
            "complete": .bool(isComplete),
            "distribution": .object([
                "id": .string(distribution.id), "name": .string(distribution.name),
                "family": distribution.family.map { .string($0.rawValue) } ?? .null,
            ]),
            "packages": distribution.family.map { strings(Distribution.packages(of: absent, in: $0)) } ?? .null,
            "features": .array(
                findings.map { finding in
                    .object([
                        "name": .string(finding.feature.name), "required": .bool(finding.isRequired),
                        "state": .string(finding.state.rawValue),
                        "missing": strings(finding.missing.map(\.requirement.name)),
                    ])
                }),
            "missing": .array(
                absent.map { requirement in
                    let packages = Distribution.Family.allCases.map { family in
                        (family.rawValue, strings(requirement.packages?[family] ?? []))
                    }
                    return .object([
                        "name": .string(requirement.name), "title": .string(requirement.title),
                        "packages": .object(Dictionary(uniqueKeysWithValues: packages)),
                    ])
                }),
        ])
    }

    private func strings(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
}
