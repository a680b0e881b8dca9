// The pictures of the cursors that the server draws itself.

import Compositor
import MullionGeometry
import WindowModel

/// A cursor's picture, one pixel per point: black with a white edge.
final class CursorPicture: PixelContents {
    let format = PixelFormat.argb8888
    let width: Int
    let height: Int
    var stride: Int { width * 4 }
    private let pixels: [UInt32]
    /// The point at the pointer's position, in points.
    let hotspot: Point
    /// In points.
    var size: Size { Size(width: Double(width), height: Double(height)) }

    /// - Parameters:
    ///   - rows: of the same length; `#` is black, and what is next to it white.
    ///   - hotspot: a column and a row; nil: the middle.
    init(_ rows: [String], hotspot: (x: Int, y: Int)? = nil) {
        let cells = rows.map(Array.init)
        let columns = cells.first?.count ?? 0
        width = columns + 2
        height = cells.count + 2
        func isBlack(_ x: Int, _ y: Int) -> Bool {
            cells.indices.contains(y) && cells[y].indices.contains(x) && cells[y][x] == "#"
        }
        var pixels: [UInt32] = []
        for y in -1...cells.count {
            for x in -1...columns {
                let isEdge = (-1...1).contains { dy in (-1...1).contains { dx in isBlack(x + dx, y + dy) } }
                pixels.append(isBlack(x, y) ? 0xff00_0000 : isEdge ? 0xffff_ffff : 0)
            }
        }
        self.pixels = pixels
        let spot = hotspot ?? (columns / 2, cells.count / 2)
        self.hotspot = Point(x: Double(spot.x + 1), y: Double(spot.y + 1))
    }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            unsafe body(base + offset(of: part), stride)
            return true
        }
    }
}

/// The pictures of all shapes, each made when it is first shown.
final class CursorPictures {
    private var pictures: [CursorShape: CursorPicture] = [:]
    private let arrow = ArrowImage()

    /// Nil for the arrow.
    func picture(of shape: CursorShape) -> CursorPicture? {
        guard shape != .arrow else { return nil }
        if let picture = pictures[shape] { return picture }
        let picture = CursorPicture(shape.rows, hotspot: shape == .hand ? (2, 0) : nil)
        pictures[shape] = picture
        return picture
    }

    /// The contents of a layer; nil if it shows something else.
    func contents(of id: Surface.ID) -> (any PixelContents)? {
        guard let shape = CursorShape(layer: id) else { return nil }
        if let picture = picture(of: shape) { return picture }
        return arrow
    }
}

extension CursorShape {
    /// Its id among the surfaces of a picture; the model never uses it.
    var layer: Surface.ID {
        Surface.ID(index: .max, generation: .max - UInt32(Self.allCases.firstIndex(of: self) ?? 0))
    }

    fileprivate init?(layer id: Surface.ID) {
        guard id.index == .max, let index = Int(exactly: UInt32.max - id.generation),
            Self.allCases.indices.contains(index)
        else { return nil }
        self = Self.allCases[index]
    }
}
