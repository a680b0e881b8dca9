// What a toplevel shows as its icon.

import Compositor
import MullionWayland

/// The icon of a toplevel. It has at most as many images as there are sizes in which title bars show them.
package final class ToplevelIcon {
    /// Width and height in points.
    static let size = 16.0
    /// The pixels per point for which an image is kept.
    private static let scales = 1...Int32(TitleBar.greatestScale)

    /// The name by which icon themes know it; the server has no themes.
    package let name: String
    /// From the smallest to the largest.
    let images: [IconImage]

    /// A change for the next commit.
    struct Change {
        /// Nil: no icon.
        var icon: ToplevelIcon?
    }

    /// - Returns: nil for an empty icon.
    init?(name: String, images: [IconImage]) {
        guard !name.isEmpty || !images.isEmpty else { return nil }
        self.name = name
        let used = Self.scales.compactMap { Self.image(of: images, scale: Double($0)) }
        self.images = used.enumerated().filter { index, image in !used[..<index].contains { $0 === image } }
            .map(\.element)
    }

    /// The image to show on a screen with that scale: the smallest that has enough pixels, or else the largest.
    func image(scale: Double) -> IconImage? { Self.image(of: images, scale: scale) }

    private static func image(of images: [IconImage], scale: Double) -> IconImage? {
        let sorted = images.sorted { $0.width < $1.width }
        return sorted.first { Double($0.width) >= size * scale } ?? sorted.last
    }
}

/// A client's buffer with an image of an icon. The pixels do not change.
final class IconImage: PixelContents {
    let buffer: BufferResource
    /// Pixels per point, as the client says: images of one size and scale replace each other.
    let scale: Int32

    init(_ buffer: BufferResource, scale: Int32) {
        self.buffer = buffer
        self.scale = scale
    }

    var format: PixelFormat { buffer.format }
    var width: Int { Int(buffer.width) }
    var height: Int { Int(buffer.height) }
    var stride: Int { Int(buffer.stride) }

    func withPixels(in part: IntRect, _ body: (UnsafeRawPointer, _ stride: Int) -> Void) -> Bool {
        unsafe buffer.read(part, body)
    }
}

extension ToplevelResource {
    /// Called when a commit is applied.
    func applyIcon() {
        guard let change = extensions?.pendingIcon else { return }
        extensions?.pendingIcon = nil
        icon = change.icon
        updateCharge()
        updateTitleBar()
    }
}
