// Parses a protocol XML file into `InterfaceModel`s.

import Foundation
import FoundationXML

struct ScannerError: Error, CustomStringConvertible {
    var description: String
}

final class ProtocolParser: NSObject, XMLParserDelegate {
    private let path: String
    private var interfaces: [InterfaceModel] = []
    private var message: (model: MessageModel, isRequest: Bool)?
    private var enumeration: EnumModel?
    private var text: String?
    private var failure: String?

    private init(path: String) { self.path = path }

    /// The interfaces described in the file, in order.
    static func parse(_ path: String) throws -> [InterfaceModel] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScannerError(description: "\(path): cannot be read")
        }
        let reader = ProtocolParser(path: path)
        let parser = XMLParser(data: data)
        parser.delegate = reader
        guard parser.parse(), reader.failure == nil else {
            let reason = reader.failure ?? parser.parserError.map { "\($0)" } ?? "not well-formed XML"
            throw ScannerError(description: "\(path):\(parser.lineNumber): \(reason)")
        }
        return reader.interfaces
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        let name = attributes["name"] ?? ""
        let since = Int(attributes["since"] ?? "1") ?? 1
        switch element {
        case "interface":
            interfaces.append(InterfaceModel(name: name, version: Int(attributes["version"] ?? "1") ?? 1))
        case "request", "event":
            let model = MessageModel(name: name, since: since, isDestructor: attributes["type"] == "destructor")
            message = (model, element == "request")
        case "arg":
            guard let kind = ArgumentModel.Kind(rawValue: attributes["type"] ?? "") else {
                failure = "argument \(name) has the unknown type \(attributes["type"] ?? "none")"
                return parser.abortParsing()
            }
            message?.model.arguments.append(
                ArgumentModel(
                    name: name, kind: kind, interface: attributes["interface"], enumeration: attributes["enum"],
                    allowsNull: attributes["allow-null"] == "true", summary: attributes["summary"] ?? ""))
        case "enum":
            enumeration = EnumModel(name: name, isBitSet: attributes["bitfield"] == "true", since: since)
        case "entry":
            let value = attributes["value"] ?? ""
            let number = value.hasPrefix("0x") ? UInt32(value.dropFirst(2), radix: 16) : UInt32(value)
            guard let number else {
                failure = "entry \(name) has the value \(value), which is not an unsigned 32-bit number"
                return parser.abortParsing()
            }
            enumeration?.entries.append(
                .init(name: name, value: number, since: since, summary: attributes["summary"] ?? ""))
        case "description":
            text = ""
            let summary = attributes["summary"] ?? ""
            if message != nil {
                message?.model.summary = summary
            } else if enumeration != nil {
                enumeration?.summary = summary
            } else if !interfaces.isEmpty {
                interfaces[interfaces.count - 1].summary = summary
            }
        default:
            break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text?.append(string) }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
    ) {
        guard let last = interfaces.indices.last else { return }
        switch element {
        case "request", "event":
            guard let (model, isRequest) = message else { return }
            if isRequest { interfaces[last].requests.append(model) } else { interfaces[last].events.append(model) }
            message = nil
        case "enum":
            if let enumeration { interfaces[last].enums.append(enumeration) }
            enumeration = nil
        case "description":
            let documentation = text ?? ""
            text = nil
            if message != nil {
                message?.model.documentation = documentation
            } else if enumeration != nil {
                enumeration?.documentation = documentation
            } else {
                interfaces[last].documentation = documentation
            }
        default:
            break
        }
    }
}
