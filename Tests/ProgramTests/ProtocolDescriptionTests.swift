// mullion-v1.xml: it is complete, and generators for C, C++ and Python make code of it that compiles.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// The description of the mullion_* protocol, and the generator for Python.
enum ProtocolDescription {
    static let package = String(#filePath.dropLast("/Tests/ProgramTests/ProtocolDescriptionTests.swift".count))
    static let folder = package + "/Sources/Wayland/Protocols"
    static let file = folder + "/mullion-v1.xml"

    /// Where Config/test puts pywayland.
    static let pywayland = package + "/.build/pywayland"

    static let hasPywayland: Bool = {
        let isInstalled = access(pywayland + "/version", F_OK) == 0
        if !isInstalled { print("ProtocolDescription: Config/test could not install pywayland; its tests are skipped") }
        return isInstalled
    }()

    /// Runs a shell script in a folder, with `$xml` as the description, and returns its output.
    static func run(_ script: String, in folder: TemporaryFolder) throws -> String {
        let environment = [
            "xml": file, "PYTHONPATH": pywayland, "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8",
        ]
        let shell = try Program("env", ["-C", folder.path, "sh", "-ec", script], environment: environment)
        let output = shell.outputAtEnd()
        guard shell.exitStatus == 0 else { throw FixtureError("\(script): \(output)") }
        return output
    }
}

@Suite struct ProtocolDescriptionTests {
    /// A line of the description that begins or describes an element.
    private struct Tag {
        let name: Substring
        let line: Substring

        init?(_ line: Substring) {
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("<"), !text.hasPrefix("</"), !text.hasPrefix("<!"), !text.hasPrefix("<?") else {
                return nil
            }
            (name, self.line) = (text.dropFirst().prefix { $0.isLetter }, text)
        }

        func attribute(_ name: String) -> Substring? {
            line.firstRange(of: " \(name)=\"").map { line[$0.upperBound...].prefix { $0 != "\"" } }
        }
    }

    private func lines() throws -> [Substring] {
        try String(contentsOfFile: ProtocolDescription.file, encoding: .utf8).split(separator: "\n")
    }

    @Test("every interface, message, enumeration and argument is described by more than its name")
    func descriptions() throws {
        let lines = try lines()
        var count = 0
        for (index, line) in lines.enumerated() {
            guard let tag = Tag(line) else { continue }
            switch tag.name {
            case "interface", "request", "event", "enum":
                count += 1
                let name = try #require(tag.attribute("name"))
                let description = try #require(Tag(lines[index + 1]), "\(name)")
                #expect(description.name == "description" && description.line.hasSuffix("\">"), "\(name) has no text")
                #expect(Tag(lines[index + 2]) == nil, "\(name) has no text")
                let summary = try #require(description.attribute("summary"), "\(name)")
                #expect(summary.replacing(" ", with: "_") != name, "the summary of \(name) is its name")
            case "arg", "entry": #expect(tag.attribute("summary")?.isEmpty == false, "\(line)")
            default: break
            }
        }
        #expect(count > 80)
    }

    @Test(
        "wayland-scanner finds no mistake, and xmllint accepts the description by Wayland's DTD",
        .enabled(if: Program.isInstalled("wayland-scanner") && Program.isInstalled("xmllint")))
    func validity() throws {
        let folder = try TemporaryFolder()
        let output = try ProtocolDescription.run(
            """
            wayland-scanner --strict client-header "$xml" client.h
            dtd=$(pkg-config --variable=pkgdatadir wayland-scanner)/wayland.dtd
            xmllint --noout --dtdvalid "$dtd" "$xml"
            """, in: folder)
        #expect(output == "")
    }

    @Test(
        "what wayland-scanner generates compiles without a warning, headers as C++ too",
        .enabled(if: Program.isInstalled("wayland-scanner") && Program.isInstalled("g++")))
    func compiled() throws {
        let folder = try TemporaryFolder()
        let output = try ProtocolDescription.run(
            """
            for kind in client server; do
                wayland-scanner $kind-header "$xml" $kind.h
                echo "#include \\"$kind.h\\"" | tee $kind.c >$kind.cc
                cc -c -std=c99 -Wall -Wextra -Wpedantic -Werror $kind.c
                g++ -c -Wall -Wextra -Wpedantic -Werror $kind.cc
            done
            for kind in private public; do
                wayland-scanner $kind-code "$xml" $kind.c
                cc -c -Wall -Wextra -Wpedantic -Werror $kind.c
            done
            nm --defined-only public.o
            """, in: folder)
        let interfaces = output.split(separator: "\n").compactMap { $0.split(separator: " ").last }
            .filter { $0.hasSuffix("_interface") }.map { String($0.dropLast("_interface".count)) }
        #expect(try interfaces.sorted() == self.interfaces())
    }

    @Test(
        "what pywayland generates can be imported, with every interface, message and enumeration",
        .enabled(if: ProtocolDescription.hasPywayland))
    func imported() throws {
        let folder = try TemporaryFolder()
        let output = try ProtocolDescription.run(
            """
            python3 -m pywayland.scanner -i /usr/share/wayland/wayland.xml "$xml" -o protocol 2>/dev/null
            cat >names.py <<'END'
            from enum import EnumMeta
            from protocol import mullion_v1
            from pywayland.protocol_core import Interface

            for item in vars(mullion_v1).values():
                if isinstance(item, type) and issubclass(item, Interface) and item.__module__ == mullion_v1.__name__:
                    print("interface", item.name)
                    for message in item.requests + item.events:
                        print("message", item.name, message.name.rstrip("_"))
                    for name, value in vars(item).items():
                        if isinstance(value, EnumMeta):
                            print("enum", item.name, name, len(value))
            END
            python3 -W error names.py
            """, in: folder)
        let generated = output.split(separator: "\n")
        #expect(generated.filter { $0.hasPrefix("interface ") }.map { String($0.dropFirst(10)) } == (try interfaces()))
        var written: [String] = []
        var (interface, enumeration, entries) = ("", "", 0)
        for tag in try lines().compactMap(Tag.init) {
            if tag.name != "entry", tag.name != "description", !enumeration.isEmpty {
                written.append("enum \(interface) \(enumeration) \(entries)")
                (enumeration, entries) = ("", 0)
            }
            let name = String(tag.attribute("name") ?? "")
            switch tag.name {
            case "interface": interface = name
            case "request", "event": written.append("message \(interface) \(name)")
            case "enum": enumeration = name
            case "entry": entries += 1
            default: break
            }
        }
        #expect(generated.filter { !$0.hasPrefix("interface ") }.map(String.init).sorted() == written.sorted())
    }

    /// The names of all interfaces, sorted.
    private func interfaces() throws -> [String] {
        try lines().compactMap(Tag.init).filter { $0.name == "interface" }
            .compactMap { $0.attribute("name").map(String.init) }.sorted()
    }
}
