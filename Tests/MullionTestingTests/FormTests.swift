// A program on two screens, one of which is plugged in while it runs: the example of a whole test.

import MullionTesting
import TestSupport
import Testing

@Suite(.enabled(if: isReady && hasGTK, "python3-gi is installed")) struct FormTests {
    private static let folder =
        String(#filePath.dropLast("Tests/MullionTestingTests/FormTests.swift".count))
        + "Sources/pytest-mullion/examples"

    @Test("a form: text, a click by name, a screen plugged in, a picture, and the screen unplugged")
    func form() async throws {
        try await withShippedMullion { mullion in
            let app = try await mullion.launch(["/usr/bin/python3", Self.folder + "/form.py"])
            let form = try await app.window(title: "Form")
            try await form.textbox("Name").fill("Grüße")
            let tv = try await mullion.plug("tv-1080p", name: "TV")
            let sign = try await app.window(title: "Sign")
            try await sign.waitFor(.screen("TV"))
            try await form.button("Save").click()
            try await form.label().waitFor(.text("Saved Grüße"))
            try await tv.match(Self.folder + "/goldens/sign.png")
            try await tv.unplug()
            try await sign.waitFor(.gone)
            #expect(app.output == "saved Grüße\n")
        }
    }

    @Test("texts are replaced, added and read; a widget that does not exist is named with the nearest ones")
    func widgets() async throws {
        let text = try await failure { mullion in
            let app = try await mullion.launch(["/usr/bin/python3", Self.folder + "/form.py"])
            let form = try await app.window(title: "Form")
            try await form.textbox().fill("Ada")
            try await form.textbox().type(" L.")
            try await form.textbox().waitFor(.text("Ada L."))
            #expect(try await form.textbox().text == "Ada L.")
            try await form.textbox().fill("")
            try await form.textbox().waitFor(.text(""))
            try await form.press("Return")
            #expect(try await form.label("/^Saved/").text == "Saved ")
            try await mullion.within(.seconds(3)) { try await form.button("Safe").click() }
        }
        #expect(text.contains("no widget has window=1 role=button name=Safe; the nearest: button \"Save\""), "\(text)")
        #expect(text.contains("form.py (pid ") && text.contains(" runs"), "\(text)")
    }

    /// A GTK program with three buttons of the same name.
    private static let buttons = """
        from gi import require_version
        require_version("Gtk", "3.0")
        from gi.repository import Gtk
        window = Gtk.Window(title="Buttons", decorated=False)
        label = Gtk.Label(label="nothing")
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for tip in ("the letter", "the draft", "the list"):
            button = Gtk.Button(label="Save", tooltip_text=tip, sensitive=tip != "the letter")
            button.connect("clicked", lambda _, tip=tip: label.set_text("saved " + tip))
            box.add(button)
        box.add(label)
        window.add(box)
        window.show_all()
        Gtk.main()
        """

    @Test("one of several widgets is told by its number or its description, and what is awaited is awaited of that one")
    func numbers() async throws {
        let text = try await failure { mullion in
            let app = try await mullion.launch(["/usr/bin/python3", "-c", Self.buttons])
            let window = try await app.window(title: "Buttons")
            try await window.button("Save").nth(1).waitFor(.enabled)
            try await window.button("Save").nth(-1).click()
            try await window.label().waitFor(.text("saved the list"))
            try await window.widget(role: "button", description: "/draft$/").click()
            try await window.label().waitFor(.text("saved the draft"))
            // The first one is disabled, but the second one is not.
            try await mullion.within(.seconds(1)) { try await window.button("Save").nth(0).waitFor(.enabled) }
        }
        #expect(text.contains("no widget has window=1 role=button name=Save nth=0 state=enabled"), "\(text)")
    }

    @Test("a widget is masked wherever it is, in the pixels of the picture")
    func mask() async throws {
        let folder = try TemporaryFolder()
        let golden = folder.path + "/form.png"
        let text = try await failure(screens: ["1280x800,scale=2"], artifacts: folder) { mullion in
            let screen = try await mullion.mainScreen()
            let app = try await mullion.launch(["/usr/bin/python3", Self.folder + "/form.py"])
            let form = try await app.window(title: "Form")
            let box = form.textbox("Name")
            try await box.fill("Ada")
            let (whole, button) = (folder.path + "/window.png", folder.path + "/button.png")
            try await screen.match(golden, isUpdate: true)
            try await form.match(whole, isUpdate: true)
            try await form.match(button, crop: .widget(form.button("Save")), isUpdate: true)
            try await box.fill("Grace")
            try await screen.match(golden, masks: [.widget(box)])
            try await form.match(whole, masks: [.widget(box)])
            try await form.match(button, crop: .widget(form.button("Save")))
            try await mullion.within(.seconds(1)) {
                try await screen.match(golden, masks: [.widget(form.button("Save"))])
            }
        }
        #expect(text.contains("differs from \(golden)"), "\(text)")
        let missing = try await failure { mullion in
            let tv = try await mullion.plug("tv-1080p", name: "TV")
            let app = try await mullion.launch(["/usr/bin/python3", Self.folder + "/form.py"])
            let box = try await app.window(title: "Form").textbox("Name")
            try await tv.match(golden, masks: [.widget(box)])
        }
        #expect(missing.contains("role=textbox name=Name is not on the screen TV"), "\(missing)")
    }
}
