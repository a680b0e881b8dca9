// Kinds of text.

/// The kind of text being edited, so that a keyboard offers the right keys (UIKit: UIKeyboardType).
public enum TextContentType: UInt32, Sendable, CaseIterable {
    /// Anything.
    case normal = 0
    /// Letters.
    case alphabet
    /// Only digits.
    case digits
    /// A number, with sign and decimal separator.
    case number
    /// A telephone number.
    case phone
    /// A URL.
    case url
    /// An e-mail address.
    case email
    /// A person's name.
    case name
    /// A password, which is hidden and must not be remembered.
    case password
    /// A password of digits, also hidden.
    case pin
    /// A date.
    case date
    /// A time of day.
    case time
    /// A date and a time.
    case dateAndTime
    /// Input to a terminal.
    case terminal
}
