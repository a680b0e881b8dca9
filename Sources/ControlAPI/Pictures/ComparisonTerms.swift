// How a picture is compared with a golden one.

import Compositor
import DisplayServer
import MullionSystem

/// What a comparison accepts: query items of the routes, or fields of a scenario's step.
struct ComparisonTerms: Sendable {
    /// Comparisons with more masks are refused.
    static let maximumMasks = 256

    var tolerance: UInt8 = 0
    var allowance = Comparison.Allowance.pixels(0)
    var crop: PictureArea?
    var masks: [PictureArea] = []

    init() {}

    init(_ request: ControlRequest) throws(Problem) {
        tolerance = UInt8(clamping: try request.wholeNumber("tolerance", in: 0...255, default: 0))
        crop = try request.area("crop")
        if let text = request.http.queryItem("maxDiffering") {
            guard let allowance = Comparison.Allowance(parsing: text) else {
                throw Problem(
                    .invalidParameter,
                    "maxDiffering=\(text) is not a number of pixels; use \(Comparison.Allowance.examples)")
            }
            self.allowance = allowance
        }
        for item in request.http.query where item.name == "masks" {
            var left = item.value[...]
            while !left.isEmpty {
                // A window's title may contain semicolons.
                let end = PictureArea.isWindow(left) ? nil : left.firstIndex(of: ";")
                masks.append(try request.area(parsing: left[..<(end ?? left.endIndex)]))
                left = end.map { left[$0...].dropFirst() } ?? ""
            }
        }
        guard masks.count <= Self.maximumMasks else {
            throw Problem(.invalidParameter, "masks lists \(masks.count) areas; use at most \(Self.maximumMasks)")
        }
    }

    /// The terms for a picture of screens at this moment.
    func resolved(in server: DisplayServer, _ layout: PictureLayout) throws(Problem) -> ResolvedTerms {
        let windows = server.windows(named: Set((masks + [crop].compactMap { $0 }).compactMap(\.windowName)))
        var rects: [IntRect] = []
        for mask in masks { rects += try mask.resolved(in: server, layout, windows) }
        return ResolvedTerms(self, try PictureCrop(crop, in: server, layout, windows), rects)
    }

    /// The terms for a picture of one window.
    func resolvedAlone() throws(Problem) -> ResolvedTerms {
        var rects: [IntRect] = []
        for mask in masks { rects.append(try mask.resolvedAlone()) }
        return ResolvedTerms(self, try PictureCrop(alone: crop), rects)
    }
}

/// Terms whose windows are replaced by their pixels.
struct ResolvedTerms: Sendable {
    let crop: PictureCrop
    /// For the cropped picture.
    let options: Comparison.Options

    fileprivate init(_ terms: ComparisonTerms, _ crop: PictureCrop, _ masks: [IntRect]) {
        self.crop = crop
        options = Comparison.Options(
            tolerance: terms.tolerance, masks: crop.place(masks), allowance: terms.allowance)
    }
}

extension ControlRequest {
    /// A part of the picture; nil when the query item is absent.
    func area(_ name: String) throws(Problem) -> PictureArea? {
        guard let text = http.queryItem(name) else { return nil }
        return try area(parsing: text)
    }

    /// - Throws: 403 for windows without the right to view: whether there is one, and where, are no pixels.
    func area(parsing text: some StringProtocol) throws(Problem) -> PictureArea {
        let area = try PictureArea(parsing: text)
        if area.windowName != nil { try require(.view, to: "a part of a picture given by a window") }
        return area
    }
}

extension Comparison.Allowance {
    static let examples = "a whole number like 20, or a percentage like 0.5%"

    /// A whole number of pixels, or a percentage.
    init?(parsing text: String) {
        if text.hasSuffix("%") {
            guard let value = DecimalText.number(text.dropLast()), (0...100).contains(value) else { return nil }
            self = .share(value / 100)
        } else {
            guard let value = DecimalText.whole(text) else { return nil }
            self = .pixels(value)
        }
    }
}
