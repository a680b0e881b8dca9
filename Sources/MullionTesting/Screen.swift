// A screen, and comparing what it shows with saved pictures.

import FoundationEssentials

extension Mullion {
    /// A part of a picture that is not compared.
    public enum Mask: Sendable {
        /// In pixels of the picture.
        case pixels(x: Int, y: Int, width: Int, height: Int)
        /// The bounds of a window.
        case window(Window)
    }

    /// A screen, by its name, which stays the same when it is unplugged and plugged in again.
    public struct Screen: Sendable {
        let mullion: Mullion
        /// As in `mullionctl screens`.
        public let name: String

        /// Unplugs it; its windows wait for it.
        public func unplug() async throws { try await mullion.perform(["unplug", name]) }

        /// Waits until its pixels have not changed for so long.
        public func waitUntilStill(for duration: Duration = .milliseconds(100)) async throws {
            try await mullion.wait(["still", name, "for=\(Int(duration / .milliseconds(1)))ms"])
        }

        /// Waits until a pixel, in native orientation, has a colour such as `#ff8000`.
        public func waitFor(pixel x: Int, _ y: Int, _ color: String) async throws {
            try await mullion.wait(["pixel", name, "\(x),\(y)=\(color)"])
        }

        /// Clicks at a point, in the screen's points. Fails if no client receives the click.
        public func click(x: Double, y: Double) async throws {
            try await mullion.perform(["click", name, "\(x),\(y)"])
        }

        /// Saves a picture of it, in native orientation, as a PNG.
        public func screenshot(_ path: String) async throws {
            try await mullion.perform(["screenshot", name, "-o", path])
        }

        /// Waits until its picture equals a saved one.
        ///
        /// With `MULLION_UPDATE_GOLDENS=1` in the environment, the picture is saved instead, once it stands still.
        /// - Parameters:
        ///   - golden: a PNG; a relative path is that from the folder of the test's source file.
        ///   - tolerance: how far each channel may be off, 0 to 255.
        ///   - maximumDiffering: a number or share of pixels (`0.1%`) that may differ more.
        ///   - masks: what is not compared.
        ///   - isUpdate: whether the picture is saved instead.
        /// - Throws: `MullionError` with the number of pixels that differ, and where; a picture of golden, screen and
        ///   differences side by side is in the folder that is kept.
        public func match(
            _ golden: String, tolerance: Int = 0, maximumDiffering: String = "0", masks: [Mask] = [],
            isUpdate: Bool = ProcessInfo.processInfo.environment["MULLION_UPDATE_GOLDENS"] == "1",
            filePath: String = #filePath
        ) async throws {
            let folder = filePath.split(separator: "/").dropLast().joined(separator: "/")
            let path = golden.hasPrefix("/") ? golden : "/\(folder)/\(golden)"
            if isUpdate {
                try await waitUntilStill(for: .milliseconds(300))
                let folder = path.split(separator: "/").dropLast().joined(separator: "/")
                try FileManager.default.createDirectory(atPath: "/" + folder, withIntermediateDirectories: true)
                try await mullion.perform(["compare", path, name, "--update"])
                return
            }
            var words = ["compare", path, name, "--tolerance", "\(tolerance)", "--max-differing", maximumDiffering]
            for mask in masks {
                switch mask {
                case .pixels(let x, let y, let width, let height): words += ["--mask", "\(x),\(y),\(width),\(height)"]
                case .window(let window): words += ["--mask", "window:\(window.id)"]
                }
            }
            try await match(words, path)
        }

        private func match(_ words: [String], _ path: String) async throws {
            guard FileManager.default.fileExists(atPath: path) else {
                throw MullionError("\(path) does not exist; create it with MULLION_UPDATE_GOLDENS=1 in the environment")
            }
            let deadline = ContinuousClock.now + mullion.timeout
            while ContinuousClock.now < deadline {
                if try await mullion.run.command(words).status == 0 { return }
                // Until it may look otherwise.
                _ = try await mullion.run.command(["wait", "still", name, "for=100ms", mullion.patience])
            }
            try FileManager.default.createDirectory(atPath: mullion.artifacts, withIntermediateDirectories: true)
            let file = path.split(separator: "/").last.map { $0.replacing(".png", with: "") } ?? ""
            let picture = "\(mullion.artifacts)/\(file)-differences.png"
            try await mullion.perform(words + ["--side-by-side", picture])
        }
    }
}
