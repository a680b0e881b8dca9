// Making a client again.

import Compositor
import System
import Wayland
import WindowModel

/// Makes the objects of one client. What is sent meanwhile was told by the server before, and is dropped in the end.
struct HandOverReader {
    let server: DisplayServer
    let client: Client
    private var memories: [SharedMemory] = []
    /// Of all its pictures of screens: what was copied last nobody knows any more.
    private let screencopySource = ScreencopySource()

    init(_ client: Client, _ record: ClientRecord, _ files: [FileName: OwnedDescriptor]) throws {
        self.client = client
        server = client.server
        for memory in record.memories {
            // Several may be of one file.
            guard let descriptor = files[memory.file]?.duplicate() else {
                throw HandOver.Refusal("its shared memory did not come along")
            }
            guard memory.size > 0, memory.size <= server.limits.poolBytes else {
                throw HandOver.Refusal("a pool has \(memory.size) bytes")
            }
            switch SharedMemory.adopt(
                descriptor, size: memory.size, account: client.memory, keepsDescriptor: server.isHandOverPossible)
            {
            case .success(let memory): memories.append(memory)
            case .failure(let refusal): throw HandOver.Refusal("its shared memory: \(refusal.reason)")
            }
        }
    }

    func memory(_ place: Int) throws -> SharedMemory {
        guard memories.indices.contains(place) else { throw HandOver.Refusal("pool \(place) is missing") }
        return memories[place]
    }

    func resource<R: Resource>(_ id: ObjectID, as type: R.Type = R.self) throws -> R {
        try client.resource(id, as: type)
    }

    func resource<R: Resource>(_ id: ObjectID?, as type: R.Type = R.self) throws -> R? {
        try client.resource(id, as: type)
    }

    func seat(_ id: Seat.ID) throws -> ServerSeat {
        guard let seat = server.seat(id) else { throw HandOver.Refusal("there is no seat \(id)") }
        return seat
    }

    /// A screen that is connected still.
    func screen(_ id: Screen.ID?) throws -> Screen? {
        guard let id else { return nil }
        guard let screen = server.model.screen(id) else { throw HandOver.Refusal("there is no screen \(id)") }
        return screen
    }

    func object(_ reference: ObjectReference) -> Resource? {
        server.client(reference.application)?.resource(reference.object)
    }

    /// Makes one object.
    func make(_ record: ObjectRecord) throws {
        guard record.id.isServers else { return try make(record, record.id, record.version) }
        try client.restore(at: record.id) { try make(record, record.id, record.version) }
    }

    private func make(_ record: ObjectRecord, _ id: ObjectID, _ version: UInt32) throws {
        switch record.state {
        case .manager(let interface): try server.globals.make(interface, id, version, for: client)
        case .registry: server.globals.add(try RegistryResource(client, id: id, version: version))
        case .application: _ = try ApplicationResource(client, id: id, version: version)
        case .seat(let seat): _ = try SeatResource(client, id: id, version: version, seat: self.seat(seat))
        case .output(let screen):
            _ = try OutputResource(client, id: id, version: version, screen: self.screen(screen))
        case .xdgOutput(let output):
            let object = try XdgOutputResource(client, id: id, version: version)
            if let output: OutputResource = try resource(output) { object.start(output) }
        case .screen(let record): try record.make(version, self)
        case .outputManager(let record): try record.make(id, version, self)
        case .outputHead(let record): try record.make(version, self)
        case .outputMode(let record): record.make(version, self)
        case .outputConfiguration(let isUsed):
            // Of another state than the present one: whatever comes of it, it is cancelled.
            let serial = server.outputManagement.serial &- 1
            let object = try OutputConfigurationResource(client, id: id, version: version, serial: serial)
            object.isUsed = isUsed
        case .outputConfigurationHead(let configuration):
            let configuration: OutputConfigurationResource = try resource(configuration)
            let object = try OutputConfigurationHeadResource(client, id: id, version: version, configuration)
            configuration.heads.append(object)
        case .region(let rectangles):
            let object = try RegionResource(client, id: id, version: version)
            try object.restore(rectangles)
        case .pool(let memory): _ = try ShmPoolResource(client, id: id, version: version, memory: self.memory(memory))
        case .buffer(let record): _ = try record.make(id, self)
        case .surface(let record): try record.make(id, version, self)
        case .viewport(let record): try record.make(id, version, self)
        case .fractionalScale(let record): try record.make(id, version, self)
        case .subsurface(let record): try record.make(id, version, self)
        case .positioner(let record): try record.make(id, version, self)
        case .xdgSurface(let record): try record.make(id, version, self)
        case .toplevel(let record): try record.make(id, version, self)
        case .popup(let record): try record.make(id, version, self)
        case .window(let record): try record.make(id, version, self)
        case .events(let record): try record.make(id, version, self)
        case .interaction(let token):
            let object = try InteractionResource(client, id: id, version: version)
            object.token = token
        case .input(let seat, let record): try record.make(id, version, self.seat(seat), self)
        case .dataSource(let record): try record.make(id, version, self)
        case .dataOffer(let record): record.make(version, self)
        case .primarySource(let types):
            let object = try PrimarySourceResource(client, id: id, version: version)
            try object.restore(types)
        case .primaryOffer(let source):
            let source = source.flatMap { object($0) as? PrimarySourceResource }
            _ = PrimaryOfferResource(client, version: version, source: source)
        case .inputPopup(let record): try record.make(id, version, self)
        case .decoration(let toplevel, let owesAnswer):
            let object = try DecorationResource(client, id: id, version: version)
            object.owesAnswer = owesAnswer
            object.toplevel = try resource(toplevel)
            object.toplevel?.decoration = object
        case .activationToken(let seat, let isUsed):
            // What it may come to gives nobody key: the person has seen a restart meanwhile.
            let tokens = ActivationTokens()
            let object = try ActivationTokenResource(client, id: id, version: version, tokens: tokens)
            object.seat = seat
            object.isUsed = isUsed
        case .screencopyFrame(let subject, let isUsed):
            let object = try ScreencopyFrameResource(
                client, id: id, version: version, source: screencopySource, subject: subject)
            object.isUsed = isUsed
        case .idleInhibitor: _ = try IdleInhibitorResource(client, id: id, version: version)
        case .securityContext: _ = try SecurityContextResource(client, id: id, version: version)
        }
    }
}
