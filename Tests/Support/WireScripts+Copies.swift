// The sessions of the fuzz corpus about copies of screens.

import MullionWayland

extension WireScripts {
    /// Copies of whole outputs and of parts, up to the limits of their numbers: immediate, waiting and abandoned ones.
    static func screencopy(_ client: TestClient, _ fixture: ServerFixture) throws {
        let copies = try TestScreencopy(client)
        let outputs = try client.globals.filter { $0.interface == WlOutput.name }
            .map { try client.bind(WlOutput.self, name: $0.name) }
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 60)
        window.show()
        var frames: [TestScreenFrame] = []
        for output in outputs {
            frames.append(copies.frame(of: output))
            frames.append(copies.frame(of: output, cursor: true, part: (4, 4, 20, 10)))
        }
        let parts: [(Int32, Int32, Int32, Int32)] = [
            (.min, .min, .max, .max), (.max, .max, 1, 1), (0, 0, 0, 0), (-5, -5, .max, .max),
        ]
        for part in parts {
            frames.append(copies.frame(of: outputs[0], part: part))
        }
        try fixture.pump()
        for (index, frame) in frames.enumerated() where frame.size.width > 0 {
            try frame.copy(waiting: index % 2 == 1)
            window.color(0xff00_0000 | UInt32(index)).commit()
            try fixture.pump()
        }
        copies.manager.send(.destroy)
        let other = try TestScreencopy(client, version: 2)
        let (left, waiting) = (other.frame(of: outputs[0]), other.frame(of: outputs[0]))
        try fixture.pump()
        try waiting.copy(waiting: true)
        try left.copy()
        left.proxy.send(.destroy)
        outputs[0].send(.release)
        try fixture.pump()
        window.hide()
        for frame in frames + [waiting] { frame.proxy.send(.destroy) }
        try fixture.pump()
    }

    static func badScreencopy(_ client: TestClient, _ fixture: ServerFixture) throws {
        let frame = try TestScreencopy(client).frame(of: client.bind(WlOutput.self))
        try fixture.pump()
        try frame.copy(to: client.buffer(0, width: 5, height: 5))
    }
}
