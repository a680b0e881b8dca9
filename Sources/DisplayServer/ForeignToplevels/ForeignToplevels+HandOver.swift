// Lists of windows for a server that takes over.

import MullionWayland
import WindowModel

/// The state of a list. Its live handles are objects of their own.
struct SavedToplevelList: ObjectState {
    var handles: [ObjectID]
    /// Those that the client has destroyed: their windows are not announced again.
    var released: [ForeignToplevel]
    /// Whether the client wants no new windows.
    var isStopped = false

    var variableSize: Int { handles.count * 8 + released.reduce(0) { $0 + $1.size } }

    init(_ watcher: ToplevelWatcher?) {
        let all = watcher?.allHandles ?? []
        handles = all.filter(\.isAlive).map(\.id)
        released = all.filter { !$0.isAlive }.map(\.sent)
        isStopped = watcher == nil
    }

    /// All handles, for the list's watcher.
    func all<Handle: ToplevelHandleResource>(
        _ reader: HandOverReader, _ make: (ForeignToplevel) -> Handle
    ) throws -> [ToplevelHandleResource] {
        try handles.map { try reader.resource($0, as: Handle.self) }
            + released.map { toplevel in
                let handle = make(toplevel)
                handle.destroy()
                return handle
            }
    }
}

/// The state of a listed window.
struct SavedToplevelHandle: ObjectState {
    var sent: ForeignToplevel
    var isClosed: Bool
    var needsDone: Bool
    var sentParent: Window.ID?

    var variableSize: Int { sent.size }

    init(_ handle: ToplevelHandleResource, parent: Window.ID? = nil) {
        sent = handle.sent
        isClosed = handle.isClosed
        needsDone = handle.needsDone
        sentParent = parent
    }

    func apply(to handle: ToplevelHandleResource) {
        handle.isClosed = isClosed
        handle.needsDone = needsDone
    }
}

extension ForeignToplevel {
    /// About how many bytes its state takes.
    fileprivate var size: Int { 60 + title.utf8.count + applicationID.utf8.count }
}

extension ToplevelHandleResource {
    /// A handle still receives changes after its list was stopped or destroyed.
    fileprivate func adoptIfOrphan() {
        guard watcher == nil, !isClosed else { return }
        let watcher = ToplevelWatcher(client)
        watcher.adopt([self])
        server.foreignToplevels.adopt(watcher)
    }
}

extension ForeignToplevelManagerResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ZwlrForeignToplevelManagerV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedToplevelList { SavedToplevelList(watcher) }

    static func restore(
        _ state: SavedToplevelList, id: ObjectID, version: UInt32, _ reader: HandOverReader
    ) throws {
        let object = try ForeignToplevelManagerResource(reader.client, id: id, version: version)
        object.watcher?.adopt(
            try state.all(reader) { ForeignToplevelHandle(reader.client, version: version, $0) })
    }
}

extension ForeignToplevelListResource: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ExtForeignToplevelListV1.self] }
    static var restorationPhase: RestorationPhase { .dependents }

    func savedState(_ writer: HandOverWriter) -> SavedToplevelList { SavedToplevelList(watcher) }

    static func restore(
        _ state: SavedToplevelList, id: ObjectID, version: UInt32, _ reader: HandOverReader
    ) throws {
        let object = try ForeignToplevelListResource(reader.client, id: id, version: version)
        if state.isStopped { return object.stop() }
        object.watcher?.adopt(
            try state.all(reader) { ForeignToplevelListHandle(reader.client, version: version, $0) })
    }
}

extension ForeignToplevelHandle: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ZwlrForeignToplevelHandleV1.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedToplevelHandle {
        SavedToplevelHandle(self, parent: sentParent)
    }

    static func restore(
        _ state: SavedToplevelHandle, id: ObjectID, version: UInt32, _ reader: HandOverReader
    ) throws {
        let object = ForeignToplevelHandle(reader.client, version: version, state.sent)
        state.apply(to: object)
        object.sentParent = state.sentParent
    }

    func finishRestoring(_ state: SavedToplevelHandle, _ reader: HandOverReader) { adoptIfOrphan() }
}

extension ForeignToplevelListHandle: Restorable {
    static var interfaces: [any WaylandInterface.Type] { [ExtForeignToplevelHandleV1.self] }
    static var restorationPhase: RestorationPhase { .devices }

    func savedState(_ writer: HandOverWriter) -> SavedToplevelHandle { SavedToplevelHandle(self) }

    static func restore(
        _ state: SavedToplevelHandle, id: ObjectID, version: UInt32, _ reader: HandOverReader
    ) throws {
        state.apply(to: ForeignToplevelListHandle(reader.client, version: version, state.sent))
    }

    func finishRestoring(_ state: SavedToplevelHandle, _ reader: HandOverReader) { adoptIfOrphan() }
}
