// Values that have several forms.

extension API {
    /// The name or the id of a screen, or the title or the id of a window.
    package struct Reference: Codable, Equatable, Sendable {
        package let text: String

        package init(_ text: String) { self.text = text }

        /// An id may be a number.
        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let number = try? container.decode(UInt32.self)
            text = try number.map { "\($0)" } ?? container.decode(String.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    /// A button of the pointer: a name, or the number of evdev.
    package enum Button: Encodable, Equatable, Sendable {
        case name(String)
        case code(UInt32)

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .name(let name): try container.encode(name)
            case .code(let code): try container.encode(code)
            }
        }
    }
}
