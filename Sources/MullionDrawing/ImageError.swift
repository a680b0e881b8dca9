// Why there is no picture.

/// Why a picture could not be read or made.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// The file could not be read: the system's reason.
        case unreadable(reason: String)
        /// The file does not begin as a PNG file does.
        case notPNG
        /// The PNG file is damaged or cut off: libpng's reason.
        case damaged(reason: String)
        /// The picture could not be written as a PNG file: libpng's reason.
        case unwritable(reason: String)
        /// A side is 0, or longer than `Image.maximumSide`, or there are more than `Image.maximumPixels` pixels.
        case invalidSize(width: Int, height: Int)
        /// The number of pixels is not width × height.
        case wrongCount(pixels: Int, width: Int, height: Int)
        /// The number of pixels per point is not above 0.
        case invalidScale(Double)
    }

    /// What is wrong.
    public let problem: Problem
    /// The path of the file, when there is one.
    public let file: String?

    init(_ problem: Problem, file: String? = nil) {
        self.problem = problem
        self.file = file
    }

    /// The error in one sentence.
    public var description: String {
        let prefix = file.map { "\($0): " } ?? ""
        return prefix + sentence
    }

    private var sentence: String {
        switch problem {
        case .unreadable(let reason): reason
        case .notPNG: "this is not a PNG file; convert it to PNG"
        case .damaged(let reason): "the PNG file is damaged: \(reason)"
        case .unwritable(let reason): "the picture cannot be written as PNG: \(reason)"
        case .invalidSize(let width, let height):
            "\(width) × \(height) is not a picture's size; use 1…\(Image.maximumSide) pixels per side and at most "
                + "\(Image.maximumPixels) in all"
        case .wrongCount(let pixels, let width, let height):
            "\(pixels) pixels are not a picture of \(width) × \(height); give \(width * height)"
        case .invalidScale(let scale): "\(scale) is not a scale; use a number above 0"
        }
    }
}
