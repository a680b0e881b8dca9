// S7: where one screen's picture appears on another.

import MullionGeometry

extension Screen {
    /// The largest centred rectangle of this screen with the source's aspect ratio (letter-box or pillar-box): from the
    /// source's points to this screen's points. Both are seen in their orientation, and neither needs square pixels.
    func letterbox(of source: Screen) -> AffineTransform {
        let (a, b) = (source.pixelShape, pixelShape)
        // In square units, whatever the shape of the pixels.
        let from = Size(width: source.bounds.size.width * a.width, height: source.bounds.size.height * a.height)
        let to = Size(width: bounds.size.width * b.width, height: bounds.size.height * b.height)
        let factor = min(to.width / from.width, to.height / from.height)
        return AffineTransform(
            a: factor * a.width / b.width, b: 0, c: 0, d: factor * a.height / b.height,
            tx: (to.width - from.width * factor) / 2 / b.width, ty: (to.height - from.height * factor) / 2 / b.height)
    }

    /// The width and height of a pixel, in the screen's orientation.
    private var pixelShape: Size {
        let ratio = currentMode.pixelAspectRatio
        return orientation.isLandscape ? Size(width: 1, height: ratio) : Size(width: ratio, height: 1)
    }
}
