// Comparing what screens and windows show with saved pictures.

import FoundationEssentials

extension Mullion {
    /// The names of the environment for which there are pictures of its own: the words of `MULLION_GOLDEN_VARIANTS`.
    public static var variants: [String] {
        (ProcessInfo.processInfo.environment["MULLION_GOLDEN_VARIANTS"] ?? "").split(separator: " ").map(String.init)
    }

    /// A part of a picture: one that is not compared, or the only one that is.
    public enum Area: Sendable {
        /// In pixels of the picture, from its top left corner.
        case pixels(x: Int, y: Int, width: Int, height: Int)
        /// The bounds of a window.
        case window(Window)
        /// The part of a widget that is in view, wherever it is when the pictures are compared.
        case widget(Widget)
    }
}

extension Mullion.Screen {
    /// Waits until its picture equals a saved one.
    ///
    /// With `MULLION_UPDATE_GOLDENS=1` in the environment, the picture is saved instead, once it stands still; different
    /// pictures need different names then.
    /// - Parameters:
    ///   - golden: a PNG; a relative path is that from the folder of the test's source file.
    ///   - tolerance: how far each channel may be off, 0 to 255.
    ///   - maximumDiffering: a number or share of pixels (`0.1%`) that may differ more.
    ///   - masks: what is not compared.
    ///   - crop: what alone is compared, and saved.
    ///   - variants: names of the environment, such as the version of a toolkit; by default the words of
    ///     `MULLION_GOLDEN_VARIANTS`. With `gtk-4.8`, `menu.gtk-4.8.png` is used instead of `menu.png` if it exists; the first
    ///     one that exists is. The picture of the first name is saved.
    ///   - isUpdate: whether the picture is saved instead.
    ///   - filePath: the test's source file.
    /// - Throws: `MullionError` with the number of pixels that differ, and where, when they differ until `timeout` has
    ///   passed; a picture of golden, screen and differences side by side is in the folder that is kept. Also when the file
    ///   does not exist, when this process has saved another picture as that file, and when a widget to mask or crop is
    ///   not in view on this screen.
    public func match(
        _ golden: String, tolerance: Int = 0, maximumDiffering: String = "0", masks: [Mullion.Area] = [],
        crop: Mullion.Area? = nil, variants: [String] = Mullion.variants,
        isUpdate: Bool = ProcessInfo.processInfo.environment["MULLION_UPDATE_GOLDENS"] == "1",
        filePath: String = #filePath
    ) async throws {
        let terms = GoldenTerms(tolerance: tolerance, maximumDiffering: maximumDiffering, masks: masks, crop: crop)
        let match = GoldenMatch(mullion: mullion, subject: .screen(self), terms: terms)
        try await match.run(GoldenFiles(golden, variants, filePath), isUpdate: isUpdate)
    }
}

extension Mullion.Window {
    /// Waits until its picture, without what covers it, equals a saved one, as `match` of a screen.
    ///
    /// With `MULLION_UPDATE_GOLDENS=1` in the environment, the picture is saved instead, once it stands still; different
    /// pictures need different names then.
    /// - Parameters:
    ///   - golden: a PNG; a relative path is that from the folder of the test's source file.
    ///   - tolerance: how far each channel may be off, 0 to 255.
    ///   - maximumDiffering: a number or share of pixels (`0.1%`) that may differ more.
    ///   - masks: what is not compared.
    ///   - crop: what alone is compared, and saved.
    ///   - variants: names of the environment, such as the version of a toolkit; by default the words of
    ///     `MULLION_GOLDEN_VARIANTS`. With `gtk-4.8`, `menu.gtk-4.8.png` is used instead of `menu.png` if it exists; the first
    ///     one that exists is. The picture of the first name is saved.
    ///   - isUpdate: whether the picture is saved instead.
    ///   - filePath: the test's source file.
    /// - Throws: `MullionError` with the number of pixels that differ, and where, when they differ until `timeout` has
    ///   passed; a picture of golden, window and differences side by side is in the folder that is kept. Also when the file
    ///   does not exist, when this process has saved another picture as that file, and when a widget to mask or crop is
    ///   not in view, or of another window.
    public func match(
        _ golden: String, tolerance: Int = 0, maximumDiffering: String = "0", masks: [Mullion.Area] = [],
        crop: Mullion.Area? = nil, variants: [String] = Mullion.variants,
        isUpdate: Bool = ProcessInfo.processInfo.environment["MULLION_UPDATE_GOLDENS"] == "1",
        filePath: String = #filePath
    ) async throws {
        let terms = GoldenTerms(tolerance: tolerance, maximumDiffering: maximumDiffering, masks: masks, crop: crop)
        let match = GoldenMatch(mullion: mullion, subject: .window(self), terms: terms)
        try await match.run(GoldenFiles(golden, variants, filePath), isUpdate: isUpdate)
    }
}
