// S7: how one screen's picture lies on another.

import Geometry

extension Screen {
    /// The largest place of the source's shape in the middle of this screen (letter-box or pillar-box): from the
    /// source's points to this screen's points. Both are seen as they are held, and neither has to have square pixels.
    func letterbox(of source: Screen) -> AffineTransform {
        let (a, b) = (source.pixelShape, pixelShape)
        // In units that are as wide as they are high, whatever the pixels are.
        let from = Size(width: source.bounds.size.width * a.width, height: source.bounds.size.height * a.height)
        let to = Size(width: bounds.size.width * b.width, height: bounds.size.height * b.height)
        let factor = min(to.width / from.width, to.height / from.height)
        return AffineTransform(
            a: factor * a.width / b.width, b: 0, c: 0, d: factor * a.height / b.height,
            tx: (to.width - from.width * factor) / 2 / b.width, ty: (to.height - from.height * factor) / 2 / b.height)
    }

    /// How wide and high a pixel is, as the screen is held.
    private var pixelShape: Size {
        let ratio = currentMode.pixelAspectRatio
        return orientation.isLandscape ? Size(width: 1, height: ratio) : Size(width: ratio, height: 1)
    }
}
