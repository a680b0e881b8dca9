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

    /// Sessions of screens, windows and cursors, with frames that are captured, abandoned and refused.
    static func imageCopy(_ client: TestClient, _ fixture: ServerFixture) throws {
        let copies = try TestImageCopy(client)
        let list = try TestForeignToplevels(ext: client)
        let pointer = try TestPointer(client)
        let output = try client.bind(WlOutput.self)
        let window = client.window("w").color(0xffff0000).frame(0, 0, 60, 60)
        window.show()
        try fixture.use(.move(x: 3, y: 3))
        var sources = [copies.source(of: output)]
        if let handle = list.listed.last?.ext { sources.append(copies.source(of: handle)) }
        for source in sources {
            let cursor = copies.cursor(over: source, of: pointer.pointer)
            let sessions = [copies.session(source), copies.session(source, cursor: true), cursor.session()]
            try fixture.pump()
            for (index, session) in sessions.enumerated() where session.size.width > 0 {
                let frame = session.frame()
                try frame.attach()
                frame.proxy.send(.damageBuffer(x: 0, y: 5, width: .max, height: .max))
                frame.proxy.send(.capture)
                try fixture.pump()
                window.color(0xff00_0000 | UInt32(index)).frame(0, 0, 60, 50 + Double(index)).commit()
                frame.proxy.send(.destroy)
                let waiting = try session.capture()
                try fixture.pump()
                if index == 1 { session.proxy.send(.destroy) }
                waiting.proxy.send(.destroy)
            }
            source.send(.destroy)
            cursor.proxy.send(.destroy)
        }
        copies.manager.send(.destroy)
        copies.outputs.send(.destroy)
        copies.toplevels.send(.destroy)
        window.hide()
        output.send(.release)
        try fixture.pump()
    }

    static func badImageCopy(_ client: TestClient, _ fixture: ServerFixture) throws {
        let copies = try TestImageCopy(client)
        let session = copies.session(copies.source(of: try client.bind(WlOutput.self)))
        try fixture.pump()
        session.frame().proxy.send(.damageBuffer(x: .min, y: 0, width: 1, height: .max))
    }
}
