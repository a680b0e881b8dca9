// Untrusted text, for logs and terminals.

import MullionSystem
import Testing

@Suite struct PrintableTests {
    @Test(
        "control, bidirectional and invisible characters are escaped as in JSON, others are unchanged",
        arguments: [
            ("plain", "plain"), ("été 漢字 ❤️ 1️⃣", "été 漢字 ❤️ 1️⃣"), ("a\u{1b}[2J\u{7f}\u{9b}", #"a\u001b[2J\u007f\u009b"#),
            ("\u{202e}txt\u{2066}\u{200b}\u{feff}", #"\u202etxt\u2066\u200b\ufeff"#),
            ("\u{2028}\u{2029}\u{85}\u{ad}\u{3164}", #"\u2028\u2029\u0085\u00ad\u3164"#),
            ("\u{e0001}", #"\udb40\udc01"#),
            ("a\nb\tc\r", #"a\u000ab\u0009c\u000d"#),
        ])
    func escaped(text: String, expected: String) { #expect(text.printable() == expected) }

    @Test("multi-line text keeps its line breaks, and no other control characters")
    func lines() { #expect("a\n\tb\r\u{1b}".printable(keepsLines: true) == "a\n\tb\\u000d\\u001b") }
}
