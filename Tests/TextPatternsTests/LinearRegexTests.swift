// Patterns of titles and names.

import Testing
import TextPatterns

@Suite struct LinearRegexTests {
    private func matches(_ pattern: String, _ text: String) throws -> Bool { try TextPattern(pattern).matches(text) }

    @Test(
        "patterns match as usual",
        arguments: [
            ("/Save/", "Save as", "save as"), ("/save/i", "SAVE AS", "sav"), ("/^a.c$/", "abc", "abcd"),
            ("/a|bc/", "xbcx", "b c"), ("/^(ab)+$/", "ababab", "ababa"), ("/^(?:a|b)*$/", "", "abc"),
            ("/colou?r/", "color", "colouur"), ("/^\\d{2,3}$/", "123", "1234"), ("/^x{2}$/", "xx", "x"),
            ("/^x{2,}$/", "xxxxx", "x"), ("/[^a-c]/", "abcd", "abc"), ("/^[a\\-z]$/", "-", "b"), ("/[]x]/", "]", "["),
            ("/\\bfile\\b/", "a file.", "profiles"), ("/^\\w+\\s\\S$/", "ab c", "ab  c"), ("/a\\.b/", "a.b", "axb"),
            ("/^é.$/", "é…", "e"), ("/É/i", "é", "e"), ("/^.{3}$/", "日本語", "日本"), ("plain", "plain", "plain "),
            ("/a/b/", "a/b", "ab"), ("/x??y+?/", "yy", "x"), ("/(a*)*b/", "aab", "aaa"), ("/{a}/", "{a}", "a"),
            ("/^[^a]$/i", "b", "A"), ("/^[^A]$/i", "b", "a"), ("/^[^É]$/i", "e", "é"), ("/^[^a-c]+$/i", "XYZ", "xBz"),
            ("/^\\W$/i", "-", "a"), ("/^[^a]$/", "A", "a"), ("/\\bSave\\b/", "Save…", "Saved…"),
            ("/\\bSave\\b/", "“Save”", "“Saves”"), ("/Save\\w/", "Savé Saveé", "Save…"), ("/^\\W+$/", "… — “×”·", "é"),
            ("/^[\\w.]+$/i", "Über_日本.½", "Über—"), ("/^[^\\w]$/", "…", "ß"), ("/\\Bave/", "Save", "—ave"),
        ])
    func match(pattern: String, matching: String, other: String) throws {
        #expect(try matches(pattern, matching), "\(pattern) \(matching)")
        #expect(try !matches(pattern, other), "\(pattern) \(other)")
    }

    @Test(
        "what is not supported, wrong or too large is refused by name",
        arguments: [
            ("/(/", "a ( has no )"), ("/)/", "a ) has no ("), ("/[a/", "a [ has no ]"), ("/*/", "repeats nothing"),
            ("/(a)\\1/", "\\1 is not supported"), ("/(?=a)/", "groups that begin with (?"), ("/a{2,1}/", "{2,1}"),
            ("/a{999}/", "numbers up to 255"), ("/((a{99}){99}){99}/", "too large"),
            ("/(((){255}){255}){255}/", "too large"),
            ("/[z-a]/", "is not a range"), ("/\\/", "ends with a single"), ("/\\p/", "\\p is not supported"),
            ("/" + String(repeating: "a", count: 300) + "/", "more than 256 characters"),
        ])
    func refusals(pattern: String, message: String) {
        do throws(TextPatternError) {
            _ = try TextPattern(pattern)
            Issue.record("\(pattern) is accepted")
        } catch {
            #expect(error.reason.contains(message), "\(pattern): \(error.reason)")
        }
    }

    @Test("a pattern that takes exponential time with backtracking ends, however long the title")
    func hostile() throws {
        let title = String(repeating: "a", count: 100_000)
        for pattern in ["/^(a+)+$b/", "/(a|a)*c/", "/(a|aa)+$x/", "/(.*.*.*.*.*)*z/", "/(((a*)*)*)*b/", "/a{0,150}b/"] {
            #expect(try !matches(pattern, title), "\(pattern)")
        }
        // The end of a text that is too long is not seen.
        #expect(try !matches("/a$/", title) && matches("/^a/", title))
    }
}
