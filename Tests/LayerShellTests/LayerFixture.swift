// What the tests of the layer shell have in common.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

extension ServerFixture {
    /// The frames of all windows in order of creation, as "x,y wxh".
    var frames: [String] {
        model.windows.compactMap { model.window($0)?.frame }.map { frame in
            [frame.minX, frame.minY].map { "\(Int($0))" }.joined(separator: ",") + " "
                + [frame.width, frame.height].map { "\(Int($0))" }.joined(separator: "x")
        }
    }

    func window(_ index: Int) throws -> Window {
        let windows = model.windows
        guard windows.indices.contains(index), let window = model.window(windows[index]) else {
            throw FixtureError("no window \(index)")
        }
        return window
    }
}
