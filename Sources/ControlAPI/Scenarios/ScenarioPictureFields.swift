// Decodes the fields of the steps screenshot and compare.

import Compositor
import ControlProtocol
import DisplayServer
import JSON5

/// The fields of a picture and of its comparison.
struct ScenarioPictureFields: StrictlyDecodable {
    private(set) var picture: Scenario.Picture
    private(set) var png: [UInt8]?
    /// A field that a screenshot does not have.
    private(set) var onlyForCompare: String?

    typealias CodingKeys = API.Keys.ScenarioComparison
    typealias Keys = CodingKeys

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        picture = Scenario.Picture(name: try container.decode(String.self, forKey: .name))
        picture.screen = try container.decodeIfPresent(ScreenReference.self, forKey: .screen)
        picture.window = try container.decodeIfPresent(ScreenReference.self, forKey: .window)?.text
        guard picture.screen == nil || picture.window == nil else {
            throw DecodingError.dataCorruptedError(
                forKey: .window, in: container, debugDescription: "use \"screen\" or \"window\", not both")
        }
        picture.terms.crop = try container.decodeIfPresent(Area.self, forKey: .crop)?.area
        png = try container.decodeIfPresent(Base64.self, forKey: .png)?.bytes
        picture.golden = png ?? []
        let masks = try container.decodeIfPresent([Area].self, forKey: .masks)
        guard masks?.count ?? 0 <= ComparisonTerms.maximumMasks else {
            throw DecodingError.dataCorruptedError(
                forKey: .masks, in: container, debugDescription: "use at most \(ComparisonTerms.maximumMasks) masks")
        }
        picture.terms.masks = masks?.map(\.area) ?? []
        picture.terms.tolerance = try container.decodeIfPresent(Tolerance.self, forKey: .tolerance)?.value ?? 0
        if let allowance = try container.decodeIfPresent(Allowance.self, forKey: .maxDiffering) {
            picture.terms.allowance = allowance.value
        }
        let onlyForCompare: [CodingKeys] = [.png, .masks, .tolerance, .maxDiffering]
        self.onlyForCompare = onlyForCompare.first(where: container.contains)?.rawValue
    }

    /// `{x, y, width, height}` in pixels of the picture, or `{window: ID or TITLE}`.
    private struct Area: Decodable {
        let area: PictureArea

        private enum CodingKeys: String, CodingKey, CaseIterable { case x, y, width, height, window }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            if container.contains(.window) {
                area = .window(try Strict<WindowArea>(from: decoder).value.window.text)
                return
            }
            let rect = try Strict<RectArea>(from: decoder).value
            do {
                area = .rect(try PictureArea.rect(rect.x, rect.y, rect.width, rect.height))
            } catch {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: error.detail))
            }
        }
    }

    private struct WindowArea: StrictlyDecodable {
        var window: ScreenReference

        enum CodingKeys: String, CodingKey, CaseIterable { case window }
        typealias Keys = CodingKeys
    }

    private struct RectArea: StrictlyDecodable {
        var x: Int
        var y: Int
        var width: Int
        var height: Int

        enum CodingKeys: String, CodingKey, CaseIterable { case x, y, width, height }
        typealias Keys = CodingKeys
    }

    /// A number of pixels, or a percentage as a string.
    private struct Allowance: Decodable {
        let value: Comparison.Allowance

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = (try? container.decode(Int.self)).map { "\($0)" } ?? (try? container.decode(String.self)) ?? ""
            guard let value = Comparison.Allowance(parsing: text) else {
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "it is not a number of pixels; use \(Comparison.Allowance.examples)"))
            }
            self.value = value
        }
    }
}
