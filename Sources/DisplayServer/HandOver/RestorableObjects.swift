// All kinds of protocol objects that survive a restart.

import MullionWayland

/// The register of restorable objects.
enum RestorableObjects {
    static let all: [any Restorable.Type] = [
        // Globals
        RegistryResource.self, CompositorResource.self, SubcompositorResource.self, ShmResource.self,
        SinglePixelManagerResource.self, ViewporterResource.self, FractionalScaleManagerResource.self,
        PresentationResource.self, IdleInhibitManagerResource.self, XdgOutputManagerResource.self,
        WmBaseResource.self, DecorationManagerResource.self, KDEDecorationManagerResource.self, ActivationResource.self,
        ApplicationResource.self,
        DataDeviceManagerResource.self, PrimaryDeviceManagerResource.self, TextInputManagerResource.self,
        TextInputManagerV1Resource.self, TextInputManagerV2Resource.self,
        InputMethodManagerResource.self, VirtualKeyboardManagerResource.self, VirtualPointerManagerResource.self,
        RelativePointerManagerResource.self, PointerConstraintsResource.self, PointerGesturesResource.self,
        ScreencopyManagerResource.self, SecurityContextManagerResource.self, OutputManagerResource.self,
        DataControlManagerResource<ZwlrDataControlManagerV1>.self,
        DataControlManagerResource<ExtDataControlManagerV1>.self,
        ForeignToplevelManagerResource.self, ForeignToplevelListResource.self, IdleNotifierResource.self,
        KDEIdleResource.self, ContentTypeManagerResource.self, TearingControlManagerResource.self,
        CursorShapeManagerResource.self, LayerShellResource.self,
        ExporterResource<ZxdgExporterV2>.self, ImporterResource<ZxdgImporterV2>.self,
        ExporterResource<ZxdgExporterV1>.self, ImporterResource<ZxdgImporterV1>.self,
        ShortcutsInhibitManagerResource.self,
        DialogManagerResource.self,
        ToplevelIconManagerResource.self,
        ToplevelDragManagerResource.self,
        AlphaModifierManagerResource.self,
        ColorManagerResource.self,
        FifoManagerResource.self,
        CommitTimingManagerResource.self,
        PointerWarpResource.self,
        SystemBellResource.self,
        TabletManagerResource.self,
        TransientSeatManagerResource.self,
        X11ManagerResource.self, XwaylandShellResource.self,
        SessionLockManagerResource.self,
        InputInhibitManagerResource.self,
        GammaControlManagerResource.self,
        OutputPowerManagerResource.self,
        OutputSourceManagerResource.self,
        ToplevelSourceManagerResource.self, ImageCopyManagerResource.self, CaptureSourceResource.self,
        // Screens
        OutputResource.self, XdgOutputResource.self, ScreenResource.self, OutputHeadResource.self,
        OutputModeResource.self, OutputConfigurationResource.self, OutputConfigurationHeadResource.self,
        ScreencopyFrameResource.self, GammaControlResource.self, OutputPowerResource.self, ColorOutputResource.self,
        // Surfaces
        RegionResource.self, ShmPoolResource.self, BufferResource.self, SurfaceResource.self,
        SubsurfaceResource.self, ViewportResource.self, FractionalScaleResource.self, IdleInhibitorResource.self,
        SurfaceHintResource.self, AlphaModifierResource.self, ShortcutsInhibitorResource.self,
        ColorSurfaceResource.self, ColorFeedbackResource.self, ImageDescriptionResource.self,
        ImageDescriptionCreatorResource.self,
        FifoResource.self, CommitTimerResource.self,
        // Windows
        PositionerResource.self, XdgSurfaceResource.self, ToplevelResource.self, PopupResource.self,
        DecorationResource.self, KDEDecorationResource.self, ActivationTokenResource.self,
        WindowResource.self, EventsResource.self,
        InteractionResource.self, LayerSurfaceResource.self, ForeignToplevelHandle.self, ForeignToplevelListHandle.self,
        ExportedResource.self, ImportedResource.self,
        DialogResource.self,
        ToplevelIconResource.self,
        ToplevelDragResource.self,
        X11ServerResource.self, X11WindowResource.self, X11DragResource.self,
        XwaylandSurfaceResource.self,
        SessionLockResource.self, LockSurfaceResource.self,
        InputInhibitorResource.self,
        // Seats
        SeatResource.self, PointerResource.self, KeyboardResource.self, TouchResource.self,
        RelativePointerResource.self, PointerGestureResource.self, PointerConstraint.self,
        VirtualPointerResource.self, VirtualKeyboardResource.self, TextInputResource.self,
        TextInputV1Resource.self, TextInputV2Resource.self,
        InputMethodResource.self, InputMethodGrabResource.self, InputPopupResource.self,
        IdleNotificationResource.self, CursorShapeDeviceResource.self, TabletSeatResource.self,
        TabletResource.self, TabletToolResource.self, TransientSeatResource.self,
        // Selections
        DataDeviceResource.self, DataSourceResource.self, DataOfferResource.self, PrimaryDeviceResource.self,
        PrimarySourceResource.self, PrimaryOfferResource.self, DataControlDeviceResource.self,
        DataControlSourceResource.self, DataControlOfferResource.self,
        // Captures
        ImageCopyCursorResource.self, ImageCopySessionResource.self, ImageCopyFrameResource.self,
        // Sandboxes
        SecurityContextResource.self,
    ]

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    static subscript(name: String) -> (any Restorable.Type)? { byName[name] }
}

extension Restorable {
    /// The name of the kind in a saved state.
    static var name: String { interfaces.first?.name ?? "" }
}
