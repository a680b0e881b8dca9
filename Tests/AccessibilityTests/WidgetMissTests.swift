// Input to widgets that nobody receives.

import Testing

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
        #expect(missed.status == 1 && missed.output.contains("no client received the type"), "\(missed)")
        let allowed = try mullionctl("type", "into=Name", "ab", "seat=other", "--allow-miss")
        #expect(allowed.status == 0 && allowed.output.hasPrefix("nobody"), "\(allowed)")
        #expect(try mullionctl("click", "name=Name", "--allow-miss").status == 0)
    }
}
