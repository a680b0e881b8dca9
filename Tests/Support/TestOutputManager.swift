// zwlr_output_manager_v1 as a client sees it: heads, modes and configurations.

import Displays
import MullionWayland

/// A manager that records its events, a line each: "TV position 800,0", "done".
public final class TestOutputManager {
    public let manager: Proxy<ZwlrOutputManagerV1>
    /// In the order in which they were announced, including finished ones.
    public private(set) var heads: [TestHead] = []
    public private(set) var serial: UInt32 = 0
    public fileprivate(set) var lines: [String] = []
    fileprivate let connection: ClientConnection

    public init(_ client: TestClient, version: UInt32 = ZwlrOutputManagerV1.version) throws {
        connection = client.connection
        manager = try client.bind(ZwlrOutputManagerV1.self, version: version)
        manager.onEvent = { [weak self] event in
            guard let self else { return }
            switch event {
            case .head(let id): heads.append(TestHead(self, id: id))
            case .done(let serial):
                self.serial = serial
                lines.append("done")
            case .finished: lines.append("finished")
            }
        }
    }

    /// Takes the events since the last call.
    public func takeLines() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// The current head of that name.
    public func head(_ name: String) throws -> TestHead {
        guard let head = heads.first(where: { $0.name == name && !$0.isFinished }) else {
            throw FixtureError("there is no head \(name)")
        }
        return head
    }

    /// A configuration made from the last state, or another.
    public func configuration(serial: UInt32? = nil) -> TestConfiguration {
        TestConfiguration(self, serial: serial ?? self.serial)
    }
}

/// zwlr_output_head_v1 with its modes.
public final class TestHead {
    public let proxy: Proxy<ZwlrOutputHeadV1>
    public private(set) var name = ""
    public private(set) var isFinished = false
    public private(set) var modes: [(proxy: Proxy<ZwlrOutputModeV1>, text: String)] = []

    fileprivate init(_ manager: TestOutputManager, id: ObjectID) {
        let connection = manager.connection
        let version = manager.manager.version
        proxy = Proxy(connection, id: id, version: version)
        proxy.onEvent = { [weak self, weak manager] event in
            guard let self, let manager else { return }
            func add(_ line: String) { manager.lines.append("\(self.name) \(line)") }
            switch event {
            case .name(let name): self.name = name
            case .description(let text): add("description \(text)")
            case .physicalSize(let width, let height): add("size \(width)x\(height)")
            case .mode(let id):
                let mode = Proxy<ZwlrOutputModeV1>(connection, id: id, version: version)
                let index = modes.count
                modes.append((mode, ""))
                mode.onEvent = { [weak self] event in self?.describe(index, event) }
            case .enabled(let enabled): add("enabled \(enabled)")
            case .currentMode(let id): add("mode \(modes.first { $0.proxy.id == id }?.text ?? "unknown")")
            case .position(let x, let y): add("position \(x),\(y)")
            case .transform(let transform): add("transform \(transform.rawValue)")
            case .scale(let scale): add("scale \(scale.double)")
            case .make(let text): add("make \(text)")
            case .model(let text): add("model \(text)")
            case .serialNumber(let text): add("serial \(text)")
            case .adaptiveSync(let state): add("adaptive \(state.rawValue)")
            case .finished:
                isFinished = true
                add("finished")
                if version < 3 { proxy.markDead() }
            }
        }
    }

    private func describe(_ index: Int, _ event: ZwlrOutputModeV1.Event) {
        switch event {
        case .size(let width, let height): modes[index].text = "\(width)x\(height)"
        case .refresh(let refresh): modes[index].text += "@\(refresh)"
        case .preferred: modes[index].text += "!"
        case .finished:
            modes[index].text += " finished"
            if proxy.version < 3 { modes[index].proxy.markDead() }
        }
    }

    public func release() {
        for mode in modes { mode.proxy.send(.release) }
        proxy.send(.release)
    }
}

/// zwlr_output_configuration_v1 and the response to it.
public final class TestConfiguration {
    public let proxy: Proxy<ZwlrOutputConfigurationV1>
    public private(set) var answer = ""

    fileprivate init(_ manager: TestOutputManager, serial: UInt32) {
        proxy = Proxy(manager.connection, version: manager.manager.version)
        manager.manager.send(.createConfiguration(id: proxy.id, serial: serial))
        proxy.onEvent = { [weak self, weak manager] event in
            switch event {
            case .succeeded: self?.answer = "succeeded"
            case .failed: self?.answer = "failed"
            case .cancelled: self?.answer = "cancelled"
            }
            manager?.lines.append(self?.answer ?? "")
        }
    }

    /// Enables a head, with these changes.
    @discardableResult
    public func enable(
        _ head: TestHead, _ requests: ZwlrOutputConfigurationHeadV1.Request...
    ) -> Proxy<ZwlrOutputConfigurationHeadV1> {
        let change = Proxy<ZwlrOutputConfigurationHeadV1>(proxy.connection, version: proxy.version)
        proxy.send(.enableHead(id: change.id, head: head.proxy.id))
        for request in requests { change.send(request) }
        return change
    }

    public func disable(_ head: TestHead) { proxy.send(.disableHead(head: head.proxy.id)) }
}
