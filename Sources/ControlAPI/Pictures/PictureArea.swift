// Parts of a picture, which are cut out or not compared.

import Compositor
import DisplayServer
import MullionGeometry
import MullionSystem
import WindowModel

/// A part of a screen's picture.
enum PictureArea: Sendable, Equatable {
    /// Pixels of the whole picture.
    case rect(IntRect)
    /// The bounds of the windows with this id or title, on their own screens.
    case window(String)

    static let grammar = "X,Y,WIDTH,HEIGHT in pixels of the picture, or window:ID or window:TITLE"

    private static let windowPrefix = "window:"

    /// Whether a text means windows, by whatever follows.
    static func isWindow(_ text: some StringProtocol) -> Bool {
        text.hasPrefix(windowPrefix) && text.count > windowPrefix.count
    }

    /// - Parameter text: as in `grammar`.
    init(parsing text: some StringProtocol) throws(Problem) {
        if Self.isWindow(text) {
            self = .window(String(text.dropFirst(Self.windowPrefix.count)))
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.whole($0, isSigned: true) }
        guard parts.count == 4, numbers.count == 4 else {
            throw Problem(.invalidParameter, "\"\(text)\" is not a part of a picture; use \(Self.grammar)")
        }
        self = .rect(try Self.rect(numbers[0], numbers[1], numbers[2], numbers[3]))
    }

    static func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws(Problem) -> IntRect {
        let limit = 0...PNG.maximumEdge
        guard [x, y, width, height].allSatisfy({ limit.contains($0) }), width > 0, height > 0 else {
            throw Problem(
                .invalidParameter,
                "\(x),\(y),\(width),\(height) is not a part of a picture; use numbers from 0 to \(PNG.maximumEdge), "
                    + "with a width and height of at least 1")
        }
        return IntRect(x: x, y: y, width: width, height: height)
    }

    /// The window's id or title; nil for a rectangle.
    var windowName: String? { if case .window(let name) = self { name } else { nil } }

    /// The current pixels in a picture of this layout; not clipped to the picture.
    /// - Parameter windows: those that the area may name, as from `DisplayServer.windows(named:)`.
    /// - Throws: 404 for an unknown window.
    func resolved(
        in server: DisplayServer, _ layout: PictureLayout, _ windows: [String: [Window]]
    ) throws(Problem) -> [IntRect] {
        switch self {
        case .rect(let rect): return [rect]
        case .window(let text):
            guard let named = windows[text] else {
                throw Problem(.noWindow, "no window has the id or title \"\(text.shortened)\"", rule: .w7)
            }
            return named.compactMap { window in
                guard let screen = window.screen, layout.contains(screen),
                    let toPixels = server.model.toPixels(of: window.id)
                else { return nil }
                let bounds = Rect(x: 0, y: 0, width: window.frame.size.width, height: window.frame.size.height)
                let rect = toPixels.then(layout[screen].fromNative).apply(to: bounds)
                return IntRect(covering: rect)
            }
        }
    }

    /// In a picture of one window, which has no other windows.
    func resolvedAlone() throws(Problem) -> IntRect {
        guard case .rect(let rect) = self else {
            throw Problem(
                .invalidParameter, "the picture of a window has no other windows; use X,Y,WIDTH,HEIGHT in its pixels")
        }
        return rect
    }
}

/// What part of a picture is shown: all of it, or the pixels of an area.
struct PictureCrop: Sendable {
    /// Nil for the whole picture.
    private let rect: IntRect?
    private let area: PictureArea?

    /// - Throws: 404 for an unknown window, 409 for one that is on no screen of the picture.
    init(_ area: PictureArea?, in server: DisplayServer, _ layout: PictureLayout) throws(Problem) {
        try self.init(area, in: server, layout, server.windows(named: Set([area?.windowName].compactMap { $0 })))
    }

    init(
        _ area: PictureArea?, in server: DisplayServer, _ layout: PictureLayout, _ windows: [String: [Window]]
    ) throws(Problem) {
        self.area = area
        guard let area else {
            rect = nil
            return
        }
        guard let first = try area.resolved(in: server, layout, windows).first else {
            throw Problem(.noPicture, "the window of \(area.text) is on no screen of the picture", rule: .s2)
        }
        rect = first
    }

    /// Of a window's picture.
    init(alone area: PictureArea?) throws(Problem) {
        self.area = area
        rect = try area.map { (area) throws(Problem) in try area.resolvedAlone() }
    }

    /// The part of a picture.
    /// - Throws: 409 when a rectangle is not within the picture; a window is clipped to it.
    func apply(to bitmap: Bitmap) throws(Problem) -> Bitmap {
        guard let rect else { return bitmap }
        let whole = IntRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
        let isWithin = if case .rect = area { whole.contains(rect) } else { whole.intersects(rect) }
        guard isWithin else {
            let size = "\(bitmap.width)×\(bitmap.height)"
            throw Problem(.noPicture, "\(area?.text ?? "") is not within the picture of \(size) pixels")
        }
        return bitmap.cropped(to: rect)
    }

    /// Where rectangles of the whole picture are in the part.
    func place(_ rects: [IntRect]) -> [IntRect] {
        guard let rect else { return rects }
        let (x, y) = (max(0, Int(rect.minX)), max(0, Int(rect.minY)))
        return rects.map { IntRect(x: Int($0.minX) - x, y: Int($0.minY) - y, width: $0.width, height: $0.height) }
    }
}

extension PictureArea {
    /// As in `grammar`.
    var text: String {
        switch self {
        case .rect(let rect): "\(rect.minX),\(rect.minY),\(rect.width),\(rect.height)"
        case .window(let name): "window:\(name)"
        }
    }
}
