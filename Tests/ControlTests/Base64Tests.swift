// Bytes as text, and human-readable JSON.

import FoundationEssentials
import JSON5
import TestSupport
import Testing

@Suite struct Base64Tests {
    @Test("bytes of any number become the text that Foundation writes, and are read from it")
    func bytes() throws {
        var random = SeededRandom()
        for count in 0..<300 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let base64 = Base64(bytes)
            #expect(base64.text == Data(bytes).base64EncodedString(), "seed \(random.seed)")
            #expect(base64.bytes == bytes && Base64.decode(base64.text) == bytes, "seed \(random.seed)")
        }
    }

    @Test(
        "texts that are not base64, or whose padding is in the wrong place, are refused",
        arguments: [
            "A", "AA", "AAA", "AAAAA", "AA=", "A===", "====", "=AAA", "A=AA", "AA=A", "AA==AAAA", "AAA ", "AA\n=",
            "AA-_",
            "AAé", "AAAÄ",
        ])
    func mistakes(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("each element and member has a line, and texts stay as they are")
    func indentation() throws {
        let text = #"{"a":[1,{"b":"x,\"[{:\\"}],"c":[],"d":{},"é":"","f":-1.5e3}"#
        let expected = #"""
            {
              "a": [
                1,
                {
                  "b": "x,\"[{:\\"
                }
              ],
              "c": [],
              "d": {},
              "é": "",
              "f": -1.5e3
            }
            """#
        #expect(String(decoding: JSONText.indented(Array(text.utf8)), as: UTF8.self) == expected)
    }
}
