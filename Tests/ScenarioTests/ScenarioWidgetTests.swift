// mullionctl scenario: widgets of a program that it starts.

import FoundationEssentials
import Glibc
import TestSupport
import Testing

@Suite struct ScenarioWidgetTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private static let program =
        #filePath.dropLast("ScenarioTests/ScenarioWidgetTests.swift".count) + "Programs/gtk_program.py"

    /// Starts a GTK program with an entry and a button, and runs steps when it is there.
    private func run(_ steps: String) throws -> (status: Int32, output: String) {
        let file = try workshop.write(
            """
            { name: "x", variables: { button: { role: "button", name: "Button" } },
              server: { screens: ["640x480,name=A"], accessibility: true }, steps: [
                { start: { command: ["/usr/bin/python3", "\(Self.program)"], name: "gtk" } },
                { wait: { widget: "${button}", timeout: "30s" } },
                \(steps)
            ] }
            """, to: "x.json5")
        let result = try workshop.mullionctl("scenario", file)
        #expect(workshop.processes.isEmpty && workshop.files("tmp").isEmpty)
        return result
    }

    @Test("widgets are clicked, typed into, awaited and expected by name, and the program receives it")
    func widgets() throws {
        let result = try run(
            """
            { expect: { widget: { role: "button", name: "Button", enabled: true, visible: true, checked: false } } },
            { widget: { click: "${button}" } },
            { widget: { type: { role: "textbox", text: "Ada" } } },
            { expect: { widget: { role: "textbox", text: "/^Ada$/", focused: true }, within: "5s" } },
            { wait: { text: "Ada" } },
            { expect: { widget: [{ role: "button", name: "Item", exists: false }, { role: "button", name: "Menu", enabled: true }] } },
            { widget: { click: { name: "Menu", role: "button" } } },
            { wait: { widget: { name: "Item", role: "button", showing: true } } },
            { widget: { click: { name: "Item", role: "button" } } },
            { wait: { widget: { name: "Item", role: "button", showing: true, gone: true } } },
            { stop: "gtk" }
            """)
        #expect(result.status == 0, "\(result.output)")
        for line in ["gtk: clicked button", "gtk: text Ada", "gtk: clicked item"] {
            #expect(result.output.split(separator: "\n").contains { $0 == line }, "\(line): \(result.output)")
        }
        #expect(
            result.output.contains("\n4/13 click role=button name=Button\n"))
    }

    @Test("what is not as expected is reported like any other expectation: its place, the expected and the seen value")
    func failures() throws {
        for (step, reason) in [
            (
                "{ expect: { widget: { role: 'button', name: 'Button', enabled: false }, within: '100ms' } }",
                "step 3 of 3 (expect widget role=button name=Button): widget role=button name=Button: enabled: expected false, "
                    + "seen true"
            ),
            (
                "{ expect: { widget: { role: 'textbox', text: 'Ada' }, within: '100ms' } }",
                "widget role=textbox: text: expected Ada, seen \n"
            ),
            (
                "{ expect: { widget: { role: 'button', name: 'Button', exists: false }, within: '0s' } }",
                "widget role=button name=Button: expected not to exist, seen button \"Button\""
            ),
            (
                "{ expect: { widget: { role: 'button', name: 'Buton' }, within: '100ms' } }",
                "widget role=button name=Buton: expected to exist, once, seen no widget has role=button name=Buton; the "
                    + "nearest: button \"Button\" in window 1"
            ),
            (
                "{ wait: { widget: { role: 'button', name: 'Save' }, timeout: '100ms' } }",
                "(wait for widget role=button name=Save): widget role=button name=Save: expected to be there within 0.1 s, seen "
                    + "no widget has role=button name=Save"
            ),
            (
                "{ wait: { widget: { role: 'button', name: 'Button', gone: true }, timeout: '100ms' } }",
                "expected to be gone within 0.1 s, seen button \"Button\" has role=button name=Button"
            ),
            (
                "{ widget: { click: { role: 'button', name: 'Nobody', timeout: '100ms' } } }",
                "(click role=button name=Nobody): widget role=button name=Nobody: expected to be ready to click within 0.1 s, seen no widget"
            ),
            // H3: what is in front of it.
            (
                "{ claim: { title: 'cover', level: 9 } }, { widget: { click: { role: 'button', name: 'Button', timeout: '500ms' } } }",
                "expected to be ready to click within 0.5 s, seen button \"Button\" is covered at "
            ),
        ] {
            let result = try run(step)
            #expect(result.status == 1 && result.output.contains(reason), "\(step): \(result.output)")
            #expect(!result.output.contains("gtk: clicked"), "\(step)")
        }
    }

    @Test("all expectations of a list have to hold at once, within the time of all")
    func list() throws {
        let result = try run(
            """
            { start: { name: "typist", command: ["\(Workshop.programs)/mullionctl", "type", "role=textbox", "Ada"] } },
            { expect: { widget: [{ role: "textbox", text: "" }, { role: "textbox", text: "Ada" }], within: "2s" } }
            """)
        #expect(result.status == 1, "\(result.output)")
        #expect(result.output.contains("widget role=textbox: text: expected"), "\(result.output)")
    }

    @Test("without an accessibility bus, a widget's step is not possible")
    func noBus() throws {
        let file = try workshop.write(
            "{ name: 'x', server: { screens: ['64x48'], profile: 'none' }, steps: [{ wait: { text: 'a' } }] }",
            to: "x.json5")
        let program = try Program(
            "\(Workshop.programs)/mullionctl", ["scenario", file],
            environment: workshop.environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]) { $1 })
        let output = program.outputAtEnd()
        #expect(
            program.exitStatus == 1
                && output.contains(
                    "step 1 of 1 (wait for widget text=a): the step: "
                        + "expected to be possible, seen "),
            "\(output)")
    }
}
