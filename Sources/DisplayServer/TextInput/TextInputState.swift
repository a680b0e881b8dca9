// The state of a text field, and the edits of an input method.

import MullionGeometry
import MullionWayland
import WindowModel

/// The state of a text field, between one enable and the next enable or disable.
struct TextInputState: Equatable, Codable {
    /// Text around the cursor; `cursor` and `anchor` are offsets in bytes of UTF-8, on character boundaries.
    struct Surrounding: Equatable, Codable {
        var text: String
        var cursor: Int
        var anchor: Int
    }

    struct ContentType: Equatable, Codable {
        var hint: ZwpTextInputV3.ContentHint
        var purpose: ZwpTextInputV3.ContentPurpose
    }

    /// Nil when the field does not provide it.
    var surrounding: Surrounding?
    var contentType: ContentType?
    /// The cursor in points of the surface; nil when the field does not provide it.
    var cursorRectangle: Rect?
    /// Applies to one commit.
    var cause = ZwpTextInputV3.ChangeCause.inputMethod

    /// Whether this state contains nothing new for an input method compared with an earlier one.
    func hasNothingNew(since old: TextInputState) -> Bool {
        surrounding == old.surrounding && contentType == old.contentType && cause == .inputMethod
    }
}

/// An input method's edit, applied as a whole.
struct TextEdit {
    /// Preedit text; the cursor is an offset in bytes of UTF-8, -1 when hidden.
    struct Preedit: Equatable, Codable {
        var text: String
        var begin: Int32
        var end: Int32
    }

    var preedit: Preedit?
    var insertion: String?
    /// In bytes before and after the cursor.
    var deletion: (before: UInt32, after: UInt32)?

    /// Texts are forwarded in messages of at most 4096 bytes.
    static let maximumBytes = 4000
}

extension String {
    /// Whether an offset in bytes of UTF-8 is on a character boundary.
    func hasBoundary(at offset: Int) -> Bool {
        guard offset >= 0, offset <= utf8.count else { return false }
        return utf8.index(utf8.startIndex, offsetBy: offset).samePosition(in: unicodeScalars) != nil
    }
}

extension Resource {
    /// Refuses a text that does not fit into a message.
    func checkText(_ text: String) throws(ProtocolError) {
        guard text.utf8.count <= TextEdit.maximumBytes else {
            throw ProtocolError(
                .noMemory, object: id,
                message: "limit reached: a text has at most \(TextEdit.maximumBytes) bytes, not \(text.utf8.count)")
        }
    }
}
