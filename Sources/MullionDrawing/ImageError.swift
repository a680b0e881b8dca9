// Why there is no picture.

/// Why a picture could not be made.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// A side is 0, or longer than `Image.maximumSide`, or there are more than `Image.maximumPixels` pixels.
        case invalidSize(width: Int, height: Int)
        /// The number of pixels is not width × height.
        case wrongCount(pixels: Int, width: Int, height: Int)
        /// The number of pixels per point is not above 0.
        case invalidScale(Double)
    }

    /// What is wrong.
    public let problem: Problem

    init(_ problem: Problem) {
        self.problem = problem
    }

    /// The error in one sentence.
    public var description: String {
        switch problem {
        case .invalidSize(let width, let height):
            "\(width) × \(height) is not a picture's size; use 1…\(Image.maximumSide) pixels per side and at most "
                + "\(Image.maximumPixels) in all"
        case .wrongCount(let pixels, let width, let height):
            "\(pixels) pixels are not a picture of \(width) × \(height); give \(width * height)"
        case .invalidScale(let scale): "\(scale) is not a scale; use a number above 0"
        }
    }
}
