// The contents of a hand-over.

import MullionSystem
import MullionWayland
import StateCoding
import WindowModel

/// A decoded hand-over, from which a server can be created.
public struct HandOverState {
    let server: SavedServer
    let model: WindowModel
    var files: [FileName: OwnedDescriptor] = [:]

    /// - Throws: why the state cannot be taken over.
    public init(_ handOver: HandOver, policy: Policy = Policy()) throws(HandOverError) {
        let payload = try handOver.payload()
        do {
            server = try StateDecoder.decode(SavedServer.self, from: Array(payload))
            model = try WindowModel(restoring: server.model, policy: policy)
        } catch let error as DecodingError {
            throw HandOverError("the state cannot be decoded: \(error.explanation)")
        } catch {
            throw HandOverError("\(error)")
        }
        for descriptor in handOver.descriptors {
            if let name = FileName(descriptor) { files[name] = descriptor }
        }
    }

    /// The version of the server that wrote it.
    public var version: String { server.version }
    public var clientCount: Int { server.clients.count }
    /// The mode of the other server's clock.
    public var clock: ClockMode { server.manualTime == nil ? .real : .manual }
}

/// A whole server.
struct SavedServer: Codable {
    struct Output: Codable {
        var screen: Screen.ID
        var globalName: UInt32
        var cascadeSteps: Int
        var clockStart: UInt64
        var clockNext: UInt64
        var clockFrame: UInt64
    }

    var version: String
    var model: WindowModel.Snapshot
    var clients: [SavedClient]
    var globals: Globals.SavedState
    var outputs: [Output]
    var plugOptions: [String: PlugOptions]
    /// S10: also of displays that are not plugged in. Nil in the state of an older server.
    var screenMemory: StateBytes?
    var sandboxes: [SavedSandbox]
    var outputManagementSerial: UInt32
    var foreignToplevels: ForeignToplevels.SavedState
    var seats: [SavedSeat]
    /// The configuration of keyboards without one of their own.
    var keyboard: SavedKeyboard
    var serial: UInt32
    var frame: UInt64
    /// Microseconds; nil: the clock is real time.
    var manualTime: UInt64?
}

/// A client and all of its objects.
struct SavedClient: Codable {
    struct Memory: Codable {
        var file: FileName
        var size: Int
    }

    var application: Application.ID
    var socket: FileName
    var sandbox: Sandbox?
    /// The client that brought it, if it is an X server.
    var manager: Application.ID?
    var usedClientIDs: Int
    var usedServerIDs: Int
    /// Nil in the state of an older server.
    var freeServerIDs: [UInt32]?
    /// See `ConnectionBacklog`.
    var received: StateBytes
    var receivedFiles: [FileName]
    var hasHeldBack: Bool
    var queued: StateBytes
    var queuedFiles: [FileName]
    var memories: [Memory]
    var objects: [SavedObject]
}

/// A socket for the programs of a sandbox.
struct SavedSandbox: Codable {
    var sandbox: Sandbox
    /// The user who created it.
    var user: UInt32
    var listening: FileName
    var closing: FileName
}

/// An object of one of the clients.
struct ObjectReference: Hashable, Codable {
    var application: Application.ID
    var object: ObjectID
}
