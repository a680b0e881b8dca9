// wp_content_type_v1 and wp_tearing_control_v1: hints that change no picture.

import MullionWayland
import TestSupport
import Testing

@Suite struct SurfaceHintTests {
    private let fixture: ServerFixture
    private let client: TestClient
    private let types: Proxy<WpContentTypeManagerV1>
    private let controls: Proxy<WpTearingControlManagerV1>

    init() throws {
        fixture = try ServerFixture.handingOver()
        client = try fixture.connect()
        types = try client.bind(WpContentTypeManagerV1.self)
        controls = try client.bind(WpTearingControlManagerV1.self)
    }

    private func contentType(_ surface: Proxy<WlSurface>) -> Proxy<WpContentTypeV1> {
        let object = Proxy<WpContentTypeV1>(client.connection, version: 1)
        types.send(.getSurfaceContentType(id: object.id, surface: surface.id))
        return object
    }

    private func control(_ surface: Proxy<WlSurface>) -> Proxy<WpTearingControlV1> {
        let object = Proxy<WpTearingControlV1>(client.connection, version: 1)
        controls.send(.getTearingControl(id: object.id, surface: surface.id))
        return object
    }

    @Test("a surface has one object of each kind at a time, any value changes nothing, and objects outlive the surface")
    func hints() throws {
        let top = try TestToplevel.map(client, fixture, "game")
        let before = try fixture.screenshot()
        for _ in 0..<2 {
            let (type, control) = (contentType(top.surface), control(top.surface))
            for value: UInt32 in [0, 1, 2, 3, 4, .max] {
                type.send(.setContentType(contentType: .init(rawValue: value)))
                control.send(.setPresentationHint(hint: .init(rawValue: value)))
                top.surface.send(.commit)
            }
            try fixture.pump()
            #expect(try fixture.screenshot() == before)
            type.send(.destroy)
            control.send(.destroy)
        }
        let surface = client.surface()
        let (type, control) = (contentType(surface), control(surface))
        surface.send(.destroy)
        type.send(.setContentType(contentType: .game))
        control.send(.setPresentationHint(hint: .async))
        type.send(.destroy)
        control.send(.destroy)
        types.send(.destroy)
        controls.send(.destroy)
        try fixture.pump()
        #expect(client.isOpen)
    }

    @Test("a second object is an error of the manager; so is an object that is no surface")
    func errors() throws {
        let surface = client.surface()
        _ = (contentType(surface), control(surface), contentType(client.surface()))
        try fixture.pump()
        #expect(client.isOpen)
        _ = contentType(surface)
        try fixture.pump()
        #expect(client.protocolError?.code == WpContentTypeManagerV1.Error.alreadyConstructed.rawValue)
        let other = try SurfaceHintTests()
        let twice = other.client.surface()
        _ = (other.control(twice), other.control(twice))
        try other.fixture.pump()
        #expect(other.client.protocolError?.code == WpTearingControlManagerV1.Error.tearingControlExists.rawValue)
        let third = try SurfaceHintTests()
        let object = Proxy<WpContentTypeV1>(third.client.connection, version: 1)
        third.types.send(.getSurfaceContentType(id: object.id, surface: third.types.id))
        try third.fixture.pump()
        #expect(third.client.protocolError?.code == WlDisplay.Error.invalidObject.rawValue)
    }

    @Test("over a restart each surface keeps its objects")
    func handOver() throws {
        let surface = client.surface()
        let lost = client.surface()
        let (type, orphan) = (contentType(surface), control(lost))
        lost.send(.destroy)
        try fixture.pump()
        try fixture.handOver()
        orphan.send(.destroy)
        type.send(.setContentType(contentType: .photo))
        try fixture.pump()
        #expect(client.isOpen)
        _ = contentType(surface)
        try fixture.pump()
        #expect(client.protocolError?.message.contains("already has a wp_content_type_v1") == true)
    }
}
