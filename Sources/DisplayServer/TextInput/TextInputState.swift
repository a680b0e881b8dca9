// What a text field says of itself, and what an input method writes into it.

import Geometry
import Wayland
import WindowModel

/// What a client says of its text field, between one enable and the next enable or disable.
struct TextInputState: Equatable, Codable {
    /// Text around the cursor; `cursor` and `anchor` are offsets in bytes of UTF-8, on boundaries of characters.
    struct Surrounding: Equatable, Codable {
        var text: String
        var cursor: Int
        var anchor: Int
    }

    struct ContentType: Equatable, Codable {
        var hint: ZwpTextInputV3.ContentHint
        var purpose: ZwpTextInputV3.ContentPurpose
    }

    /// Nil: the field does not tell.
    var surrounding: Surrounding?
    var contentType: ContentType?
    /// The cursor in points of the surface; nil: the field does not tell.
    var cursorRectangle: Rect?
    /// Counts for one commit.
    var cause = ZwpTextInputV3.ChangeCause.inputMethod

    /// Whether an input method has nothing to learn from this state that it did not learn from an earlier one.
    func tellsNothingNew(after old: TextInputState) -> Bool {
        surrounding == old.surrounding && contentType == old.contentType && cause == .inputMethod
    }
}

/// What an input method writes, all of it at once.
struct TextEdit {
    /// Text that is being composed; the cursor is an offset in bytes of UTF-8, -1 hidden.
    struct Preedit: Equatable, Codable {
        var text: String
        var begin: Int32
        var end: Int32
    }

    var preedit: Preedit?
    var insertion: String?
    /// In bytes before and after the cursor.
    var deletion: (before: UInt32, after: UInt32)?

    /// Texts travel on in messages that may have 4096 bytes.
    static let maximumBytes = 4000
}

extension String {
    /// Whether an offset in bytes of UTF-8 lies between two characters' codes, or at either end.
    func hasBoundary(at offset: Int) -> Bool {
        guard offset >= 0, offset <= utf8.count else { return false }
        return utf8.index(utf8.startIndex, offsetBy: offset).samePosition(in: unicodeScalars) != nil
    }
}

extension Resource {
    /// Refuses a text that no receiver could be told.
    func checkText(_ text: String) throws(ProtocolError) {
        guard text.utf8.count <= TextEdit.maximumBytes else {
            throw ProtocolError(
                .noMemory, object: id,
                message: "limit reached: a text has at most \(TextEdit.maximumBytes) bytes, not \(text.utf8.count)")
        }
    }
}
