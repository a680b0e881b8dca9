// A screen that a test drives.

extension Mullion {
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
    }
}
