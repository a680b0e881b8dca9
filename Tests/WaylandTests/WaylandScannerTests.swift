// WaylandScanner: the generated code does not depend on the version of the installed descriptions.

import FoundationEssentials
import TestSupport
import Testing

@Suite struct WaylandScannerTests {
    private static let list = """
        example_pointer 2 grab.mode button.state  # a comment
        example_own 1
        """
    private static let own = """
        <protocol name="own"><interface name="example_own" version="1">
        <enum name="kind"><entry name="one" value="1"/></enum>
        <request name="set"><arg name="kind" type="uint" enum="kind"/></request>
        </interface></protocol>
        """
    private static let installed = """
        <protocol name="pointer"><interface name="example_pointer" version="2">
        <enum name="mode"><entry name="loose" value="0"/><entry name="tight" value="1"/></enum>
        <enum name="state"><entry name="up" value="0"/></enum>
        <request name="grab"><arg name="mode" type="uint" enum="mode"/><arg name="size" type="uint"/></request>
        <request name="warp"><arg name="x" type="int"/><arg name="mode" type="uint"/></request>
        <event name="button" since="2"><arg name="state" type="uint" enum="state"/><arg name="serial" type="uint"/></event>
        </interface></protocol>
        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Generates code from the list, our description beside it, and an installed one.
    private func generate(list: String = list, installed: String = installed) throws -> (
        code: String, complaint: String
    ) {
        let paths = ["interfaces.txt", "code.swift", "own.xml", "installed/pointer.xml"].map { folder.path + "/" + $0 }
        try FileManager.default.createDirectory(atPath: folder.path + "/installed", withIntermediateDirectories: true)
        try Data(list.utf8).write(to: URL(filePath: paths[0]))
        try Data(Self.own.utf8).write(to: URL(filePath: paths[2]))
        try Data(installed.utf8).write(to: URL(filePath: paths[3]))
        let scanner = try Program(Programs.built + "/WaylandScanner", paths)
        let complaint = scanner.outputAtEnd()
        return ((try? String(contentsOfFile: paths[1], encoding: .utf8)) ?? "", complaint)
    }

    @Test("newer descriptions, with more versions, messages and enums of arguments, give the same code")
    func newer() throws {
        let code = try generate().code
        #expect(code.contains("case grab(mode: ExamplePointer.Mode, size: UInt32)"), "\(code)")
        #expect(code.contains("case button(state: ExamplePointer.State, serial: UInt32)"))
        #expect(code.contains("case set(kind: ExampleOwn.Kind)"))
        var newer = Self.installed.replacing("version=\"2\"", with: "version=\"3\"")
        for argument in ["size", "x", "mode", "serial"] {
            for type in ["int", "uint"] {
                let old = "<arg name=\"\(argument)\" type=\"\(type)\"/>"
                newer = newer.replacing(old, with: old.replacing("/>", with: " enum=\"mode\"/>"))
            }
        }
        let more = """
            <enum name="kind" since="3"><entry name="new" value="7"/></enum>
            <request name="more" since="3"><arg name="x" type="int"/></request></interface>
            """
        newer = newer.replacing("</interface>", with: more)
        newer = newer.replacing("value=\"1\"/>", with: "value=\"1\"/><entry name=\"new\" value=\"2\" since=\"3\"/>")
        #expect(try generate(installed: newer) == (code, ""))
    }

    @Test(
        "a list that the descriptions do not fulfil is refused",
        arguments: [
            ("example_pointer 2 grab.size", "pointer.xml: example_pointer has no enum for grab.size"),
            ("example_pointer 3", "pointer.xml: example_pointer has version 2, but 3 is needed"),
            ("example_other 1", "no description of example_other"),
            ("example_pointer two", "interfaces.txt:1: expected an interface and a version"),
        ])
    func refused(list: String, complaint: String) throws {
        let result = try generate(list: list)
        #expect(result.complaint.contains(complaint) && result.code.isEmpty, "\(result)")
    }
}
