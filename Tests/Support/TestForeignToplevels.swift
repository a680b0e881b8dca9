// Task bars: clients that list the windows of all programs.

import MullionWayland

/// A listed window.
public final class TestForeignToplevel {
    public var title = ""
    public var applicationID = ""
    /// The names of the outputs that it is on.
    public var outputs: [String] = []
    /// 0 maximized, 1 minimized, 2 activated, 3 full-screen.
    public var states: [UInt8] = []
    public var parent: TestForeignToplevel?
    public var identifier = ""
    public var isClosed = false
    /// How many complete states were received.
    public var dones = 0
    public let wlr: Proxy<ZwlrForeignToplevelHandleV1>?
    public let ext: Proxy<ExtForeignToplevelHandleV1>?

    init(wlr: Proxy<ZwlrForeignToplevelHandleV1>? = nil, ext: Proxy<ExtForeignToplevelHandleV1>? = nil) {
        self.wlr = wlr
        self.ext = ext
    }
}

/// zwlr_foreign_toplevel_manager_v1 or ext_foreign_toplevel_list_v1.
public final class TestForeignToplevels {
    public let client: TestClient
    public private(set) var manager: Proxy<ZwlrForeignToplevelManagerV1>?
    public private(set) var list: Proxy<ExtForeignToplevelListV1>?
    /// In order of announcement, also those that are closed.
    public private(set) var all: [TestForeignToplevel] = []
    public private(set) var isFinished = false
    private var outputs: [(name: String, proxy: Proxy<WlOutput>)] = []

    public init(wlr client: TestClient, version: UInt32 = 3) throws {
        self.client = client
        let manager = try client.bind(ZwlrForeignToplevelManagerV1.self, version: version)
        self.manager = manager
        manager.onEvent = { [weak self] event in
            switch event {
            case .toplevel(let id): self?.add(wlr: Proxy(client.connection, id: id, version: version))
            case .finished: self?.isFinished = true
            }
        }
    }

    public init(ext client: TestClient) throws {
        self.client = client
        let list = try client.bind(ExtForeignToplevelListV1.self)
        self.list = list
        list.onEvent = { [weak self] event in
            switch event {
            case .toplevel(let id): self?.add(ext: Proxy(client.connection, id: id, version: 1))
            case .finished: self?.isFinished = true
            }
        }
    }

    /// Binds the outputs that exist now.
    public func bindOutputs() throws {
        let known = client.globals.filter { $0.interface == WlOutput.name }
        for global in known where !client.removedGlobals.contains(global.name) {
            let output = try client.bind(WlOutput.self, name: global.name)
            let index = outputs.count
            outputs.append(("", output))
            output.onEvent = { [weak self] event in
                if case .name(let name) = event { self?.outputs[index].name = name }
            }
        }
    }

    public func output(_ name: String) -> Proxy<WlOutput>? { outputs.first { $0.name == name }?.proxy }

    private func name(_ id: ObjectID) -> String { outputs.first { $0.proxy.id == id }?.name ?? "unknown" }

    private func add(wlr proxy: Proxy<ZwlrForeignToplevelHandleV1>) {
        let toplevel = TestForeignToplevel(wlr: proxy)
        all.append(toplevel)
        proxy.onEvent = { [weak self, unowned toplevel] event in
            guard let self else { return }
            switch event {
            case .title(let title): toplevel.title = title
            case .appId(let id): toplevel.applicationID = id
            case .outputEnter(let output): toplevel.outputs.append(name(output))
            case .outputLeave(let output):
                let name = name(output)
                toplevel.outputs.removeAll { $0 == name }
            case .state(let bytes): toplevel.states = bytes.enumerated().filter { $0.offset % 4 == 0 }.map(\.element)
            case .done: toplevel.dones += 1
            case .closed: toplevel.isClosed = true
            case .parent(let id): toplevel.parent = all.first { $0.wlr?.id == id && id != nil && !$0.isClosed }
            }
        }
    }

    private func add(ext proxy: Proxy<ExtForeignToplevelHandleV1>) {
        let toplevel = TestForeignToplevel(ext: proxy)
        all.append(toplevel)
        proxy.onEvent = { [unowned toplevel] event in
            switch event {
            case .closed: toplevel.isClosed = true
            case .done: toplevel.dones += 1
            case .title(let title): toplevel.title = title
            case .appId(let id): toplevel.applicationID = id
            case .identifier(let identifier): toplevel.identifier = identifier
            }
        }
    }

    /// The windows that are listed now.
    public var listed: [TestForeignToplevel] { all.filter { !$0.isClosed } }
    public var titles: [String] { listed.map(\.title) }

    public func toplevel(_ title: String) throws -> TestForeignToplevel {
        guard let toplevel = listed.first(where: { $0.title == title }) else {
            throw FixtureError("\(title) is not one of \(titles)")
        }
        return toplevel
    }
}
