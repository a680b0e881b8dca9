// The section "http": loopback addresses only, and a token that is compared as a whole.

import FoundationEssentials
import JSON5
import Testing

@testable import ControlAPI
@testable import DisplayServer

@Suite struct HTTPConfigurationTests {
    @Test(
        "loopback addresses",
        arguments: ["127.0.0.1:8080", "127.1.2.3:1", "[::1]:65535", "127.0.0.1:0"])
    func addresses(text: String) throws {
        #expect(try LoopbackAddress(parsing: text).description == text)
    }

    @Test(
        "every other address is refused, with a message about what is allowed",
        arguments: [
            "0.0.0.0:80", "[::]:80", "192.168.1.1:80", "128.0.0.1:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
            "127.0.0:80", "127.0.0.1.:80", "127.0.0.256:80", "127.0.0.1.evil:80", "localhost:80", ":80", "8080", "",
            "::1:80", "[::1]", "127.0.0.+1:80",
        ])
    func otherAddresses(text: String) {
        let failure = #expect(throws: LoopbackAddressError.self) { try LoopbackAddress(parsing: text) }
        #expect(failure?.description.contains("use 127.0.0.1:PORT or [::1]:PORT") == true)
    }

    @Test("the valid Host values include its port")
    func authorities() throws {
        #expect(try LoopbackAddress(parsing: "127.0.0.1:8080").authorities == ["127.0.0.1:8080", "localhost:8080"])
        #expect(try LoopbackAddress(parsing: "127.0.0.1:80").authorities.contains("localhost"))
    }

    private func decode(_ text: String) throws -> HTTPConfiguration {
        try JSON5.decode(HTTPConfiguration.self, from: Array(text.utf8), file: "x")
    }

    @Test("the section is read; without it nothing is served, and by default a token can only view")
    func section() throws {
        #expect(try decode("{}").listen == nil)
        #expect(try decode("{}").rights == [.view, .capture])
        let all = try decode(#"{ listen: "[::1]:81", tokenFile: "/run/t", rights: ["inject", "view"] }"#)
        #expect(all.listen?.port == 81 && all.tokenFile == "/run/t" && all.rights == [.view, .inject])
    }

    @Test(
        "mistakes in the section are errors that state what is allowed",
        arguments: [
            (#"{ listen: "0.0.0.0:80" }"#, "not a loopback address"),
            (#"{ tokenFile: "token" }"#, "not an absolute path"),
            (#"{ rights: ["all"] }"#, "\"view\", \"capture\", \"inject\", \"administer\""),
            (#"{ port: 80 }"#, "unknown key"), (#"{ listen: 80 }"#, "listen"),
        ])
    func mistakes(text: String, words: String) {
        let failure = #expect(throws: JSON5Error.self) { try decode(text) }
        #expect(failure.map { "\($0)" }?.contains(words) == true, "\(failure.map { "\($0)" } ?? "")")
    }

    @Test("a token is new each time, and must match completely")
    func token() {
        let (token, other) = (ControlToken(rights: .view), ControlToken(rights: .view))
        #expect(token.text != other.text && token.text.utf8.count == 64 && token.text.allSatisfy(\.isHexDigit))
        #expect(token.matches(token.text[...]) && !token.matches(other.text[...]))
        #expect(!token.matches("") && !token.matches(token.text.dropLast()) && !token.matches(token.text.dropFirst()))
    }
}
