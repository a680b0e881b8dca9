// Input to widgets that nobody receives.

import Testing
import WindowModel

extension WidgetCommandTests {
    @Test("H3: a text that nobody receives is a failure, unless a miss is allowed")
    func misses() throws {
        show(
            Node(
                61, "Name", (10, 10, 80, 20),
                states: [.enabled, .showing, .visible, .editable, .init(rawValue: 1 << 12)]))
        window.makeKey()
        try fixture.server.addSeat(name: "other", screens: ["OTHER"])
        try fixture.pump()
        // It has the other seat's keyboard.
        let missed = try mullionctl("type", "into=Name", "ab", "seat=other")
        #expect(missed.status == 1 && missed.output.contains("no client received the text"), "\(missed)")
        let allowed = try mullionctl("type", "into=Name", "ab", "seat=other", "--allow-miss")
        #expect(allowed.status == 0 && allowed.output.hasPrefix("nobody"), "\(allowed)")
        #expect(try mullionctl("click", "name=Name", "--allow-miss").status == 0)
    }

    @Test("H3: a window that opens between the look and the click, and receives it, is reported")
    func coveredMeanwhile() throws {
        show(Node(43, "Save", (10, 10, 80, 20)))
        client.window("Alert").color(0xffff_0000).frame(30, 40, 200, 100).level(-1).show()
        try fixture.pump()
        let alert = try #require(fixture.model.windows.first { fixture.model.window($0)?.title == "Alert" })
        for words in [["click"], ["scroll", "0,10"]] {
            try fixture.model.setLevel(-1, of: alert)
            var steps = 0
            fixture.server.injector.onStep = { [fixture] _ in
                // The first step looks what is there.
                if steps == 0 { try? fixture.model.setLevel(2000, of: alert) }
                steps += 1
            }
            let answer = try mullionctl([words[0], "name=Save"] + words.dropFirst())
            let message =
                "button \"Save\" is covered at 80,60 of PANEL by window 2 \"Alert\", which opened just before the "
                + "\(words[0]) and received it"
            #expect(answer.status == 1 && answer.output.contains(message), "\(answer)")
        }
    }
}
