// A screen that a test drives.

extension Mullion {
    /// A screen, by its name, which stays the same when it is unplugged and plugged in again.
    public struct Screen: Sendable {
        let mullion: Mullion
        /// As in `mullionctl screens`.
        public let name: String

        /// Unplugs it; its windows wait for it.
        /// - Throws: `MullionError` when it is not connected.
        public func unplug() async throws { try await mullion.perform(["unplug", name]) }

        /// Waits until its pixels have not changed for so long.
        /// - Parameter duration: of the server's time. A manual clock stands still, so only `.zero` can be waited for then.
        /// - Throws: `MullionError` when they change until `timeout` has passed, or it is not connected.
        public func waitUntilStill(for duration: Duration = .milliseconds(100)) async throws {
            try await mullion.wait(["still", name, "for=\(Int(duration / .milliseconds(1)))ms"])
        }

        /// Waits until a pixel has a colour.
        /// - Parameters:
        ///   - x, y: in pixels of the screen's mode, in native orientation, from the top left corner.
        ///   - color: as `#ff8000`.
        /// - Throws: `MullionError` with its colour when it has another one until `timeout` has passed, or the screen is not
        ///   connected.
        public func waitFor(pixel x: Int, _ y: Int, _ color: String) async throws {
            try await mullion.wait(["pixel", name, "\(x),\(y)=\(color)"])
        }

        /// Clicks at a point.
        /// - Parameters:
        ///   - x, y: in points of the screen, from the top left corner of its bounds, which follow its orientation.
        /// - Throws: `MullionError` with the reasons when no client receives the click.
        public func click(x: Double, y: Double) async throws {
            try await mullion.perform(["click", name, "\(x),\(y)"])
        }

        /// Saves a picture of it, in native orientation and with the pixels of its mode, as a PNG.
        /// - Parameter path: unlike that of `match`, relative to the working directory of the tests.
        /// - Throws: `MullionError` when it is not connected, or the file cannot be written.
        public func screenshot(_ path: String) async throws {
            try await mullion.perform(["screenshot", name, "-o", path])
        }
    }
}
