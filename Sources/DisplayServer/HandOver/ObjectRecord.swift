// What makes an object again.

import Compositor
import Wayland
import WindowModel

/// A protocol object in words.
struct ObjectRecord: Codable {
    var id: ObjectID
    var version: UInt32
    var state: State

    /// What an object says of itself, by its kind.
    enum State: Codable {
        /// What a client binds to make other objects, by its interface: it has no state.
        case manager(String)
        case registry
        case application
        case seat(Seat.ID)
        case output(Screen.ID?)
        case xdgOutput(ObjectID?)
        case screen(ScreenResource.Record)
        case outputManager(OutputManagerResource.Record)
        case outputHead(OutputHeadResource.Record)
        case outputMode(OutputModeResource.Record)
        case outputConfiguration(isUsed: Bool)
        case outputConfigurationHead(ObjectID)
        case region([IntRect])
        case pool(Int)
        case buffer(BufferResource.Record)
        case surface(SurfaceResource.Record)
        case viewport(ViewportResource.Record)
        case fractionalScale(FractionalScaleResource.Record)
        case subsurface(SubsurfaceResource.Record)
        case positioner(PositionerResource.Record)
        case xdgSurface(XdgSurfaceResource.Record)
        case toplevel(ToplevelResource.Record)
        case popup(PopupResource.Record)
        case window(WindowResource.Record)
        case events(EventsResource.Record)
        case interaction(Window.InteractionToken?)
        /// What a client has of a seat.
        case input(Seat.ID, InputRecord)
        case dataSource(DataSourceResource.Record)
        case dataOffer(DataOfferResource.Record)
        case primarySource([String])
        case primaryOffer(ObjectReference?)
        case inputPopup(InputPopupResource.Record)
        case decoration(toplevel: ObjectID?, owesAnswer: Bool)
        case activationToken(Seat.ID?, isUsed: Bool)
        case screencopyFrame(ScreencopyFrameResource.Subject?, isUsed: Bool)
        case idleInhibitor
        case securityContext
    }

    /// Objects are made in this order, so that those that an object needs are there.
    var phase: Int {
        switch state {
        case .manager, .registry, .application, .seat, .screen, .output, .region, .positioner, .pool, .activationToken,
            .screencopyFrame, .idleInhibitor, .securityContext:
            0
        case .xdgOutput, .buffer, .outputMode, .outputConfiguration: 1
        case .surface, .outputHead, .outputConfigurationHead: 2
        case .viewport, .fractionalScale, .subsurface, .xdgSurface, .window, .outputManager, .events,
            .interaction:
            3
        case .toplevel, .popup: 4
        // Of what concerns seats, after the windows of all clients.
        case .dataSource, .primarySource, .decoration: 5
        case .input(_, let record): record.phase
        case .dataOffer, .primaryOffer, .inputPopup: 8
        }
    }

    /// Those of one phase: by this, then by id.
    var order: Int {
        if case .popup(let record) = state { record.index } else { 0 }
    }
}

/// An object that can be handed over. All others end their client.
protocol HandedOver: Resource {
    /// - Throws: why it cannot be.
    func record(in writer: HandOverWriter) throws(HandOver.Refusal) -> ObjectRecord.State
}

/// What is bound and has no state.
protocol HandedOverManager: HandedOver {
    static var interface: any WaylandInterface.Type { get }
}

extension HandedOverManager {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .manager(Self.interface.name) }
}

extension CompositorResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WlCompositor.self }
}
extension SubcompositorResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WlSubcompositor.self }
}
extension ShmResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WlShm.self }
}
extension SinglePixelManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WpSinglePixelBufferManagerV1.self }
}
extension ViewporterResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WpViewporter.self }
}
extension FractionalScaleManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WpFractionalScaleManagerV1.self }
}
extension XdgOutputManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZxdgOutputManagerV1.self }
}
extension WmBaseResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { XdgWmBase.self }
}
extension DataDeviceManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WlDataDeviceManager.self }
}
extension PrimaryDeviceManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpPrimarySelectionDeviceManagerV1.self }
}
extension TextInputManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpTextInputManagerV3.self }
}
extension InputMethodManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpInputMethodManagerV2.self }
}
extension VirtualKeyboardManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpVirtualKeyboardManagerV1.self }
}
extension RelativePointerManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpRelativePointerManagerV1.self }
}
extension PointerConstraintsResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpPointerConstraintsV1.self }
}
extension PointerGesturesResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpPointerGesturesV1.self }
}
extension VirtualPointerManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwlrVirtualPointerManagerV1.self }
}
extension DecorationManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZxdgDecorationManagerV1.self }
}
extension ActivationResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { XdgActivationV1.self }
}
extension IdleInhibitManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwpIdleInhibitManagerV1.self }
}
extension PresentationResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WpPresentation.self }
}
extension SecurityContextManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { WpSecurityContextManagerV1.self }
}
extension RegistryResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .registry }
}
extension ApplicationResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .application }
}
extension DecorationResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State {
        .decoration(toplevel: toplevel.flatMap { $0.isAlive ? $0.id : nil }, owesAnswer: owesAnswer)
    }
}
extension ActivationTokenResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .activationToken(seat, isUsed: isUsed) }
}
extension IdleInhibitorResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .idleInhibitor }
}
extension SecurityContextResource: HandedOver {
    func record(in writer: HandOverWriter) throws(HandOver.Refusal) -> ObjectRecord.State {
        guard sockets == nil else { throw HandOver.Refusal("a wp_security_context_v1 is not committed yet") }
        return .securityContext
    }
}
extension ScreencopyManagerResource: HandedOverManager {
    static var interface: any WaylandInterface.Type { ZwlrScreencopyManagerV1.self }
}
extension ScreencopyFrameResource: HandedOver {
    func record(in writer: HandOverWriter) -> ObjectRecord.State { .screencopyFrame(subject, isUsed: isUsed) }
}
