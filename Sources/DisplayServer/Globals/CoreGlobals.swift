// The globals that do not depend on a screen.

import MullionWayland

extension DisplayServer {
    /// Adds every global that does not depend on a screen.
    func addCoreGlobals() {
        globals.add(WlCompositor.self, CompositorResource.init)
        globals.add(WlSubcompositor.self, SubcompositorResource.init)
        globals.add(WlShm.self, ShmResource.bind)
        globals.add(WpSinglePixelBufferManagerV1.self, SinglePixelManagerResource.init)
        globals.add(WpViewporter.self, ViewporterResource.init)
        globals.add(WpFractionalScaleManagerV1.self, FractionalScaleManagerResource.init)
        globals.add(WpAlphaModifierV1.self, AlphaModifierManagerResource.init)
        globals.add(WpFifoManagerV1.self, FifoManagerResource.init)
        globals.add(WpCommitTimingManagerV1.self, CommitTimingManagerResource.init)
        globals.add(WpContentTypeManagerV1.self, ContentTypeManagerResource.init)
        globals.add(WpTearingControlManagerV1.self, TearingControlManagerResource.init)
        globals.add(ZxdgOutputManagerV1.self, XdgOutputManagerResource.init)
        serve(.first)
        globals.add(WlDataDeviceManager.self, DataDeviceManagerResource.init)
        globals.add(ZwpPrimarySelectionDeviceManagerV1.self, PrimaryDeviceManagerResource.init)
        globals.add(
            ZwlrDataControlManagerV1.self, requires: .clipboard,
            DataControlManagerResource<ZwlrDataControlManagerV1>.init)
        globals.add(
            ExtDataControlManagerV1.self, requires: .clipboard, DataControlManagerResource<ExtDataControlManagerV1>.init
        )
        globals.add(XdgWmBase.self, for: { $0.permissions.xdg.contains(.windows) }, WmBaseResource.init)
        globals.add(ZwlrLayerShellV1.self, for: { $0.permissions.xdg.contains(.windows) }, LayerShellResource.init)
        // No X servers within X servers.
        globals.add(
            MullionX11ManagerV1.self, for: { $0.permissions.xdg.contains(.windows) && $0.manager == nil },
            X11ManagerResource.init)
        globals.add(XwaylandShellV1.self, for: { $0.manager != nil }, XwaylandShellResource.init)
        globals.add(MullionApplicationV1.self, ApplicationResource.init)
        globals.add(ZwpTextInputManagerV3.self, TextInputManagerResource.init)
        globals.add(ZwpTextInputManagerV2.self, TextInputManagerV2Resource.init)
        globals.add(ZwpTextInputManagerV1.self, TextInputManagerV1Resource.init)
        globals.add(ZwpInputMethodManagerV2.self, requires: [.view, .inject], InputMethodManagerResource.init)
        globals.add(ZwlrOutputManagerV1.self, requires: .administer, OutputManagerResource.init)
        globals.add(
            ZwlrForeignToplevelManagerV1.self, requires: [.view, .administer], ForeignToplevelManagerResource.init)
        globals.add(ExtForeignToplevelListV1.self, requires: .view, ForeignToplevelListResource.init)
        globals.add(ExtSessionLockManagerV1.self, requires: .lock, SessionLockManagerResource.init)
        globals.add(ZwlrInputInhibitManagerV1.self, requires: .lock, InputInhibitManagerResource.init)
        globals.add(ZwlrGammaControlManagerV1.self, requires: .administer, GammaControlManagerResource.init)
        globals.add(ZwlrOutputPowerManagerV1.self, requires: .administer, OutputPowerManagerResource.init)
        globals.add(ZwpVirtualKeyboardManagerV1.self, requires: .inject, VirtualKeyboardManagerResource.init)
        globals.add(ZwpRelativePointerManagerV1.self, RelativePointerManagerResource.init)
        globals.add(ZwpPointerConstraintsV1.self, PointerConstraintsResource.init)
        globals.add(WpPointerWarpV1.self, PointerWarpResource.init)
        globals.add(WpCursorShapeManagerV1.self, CursorShapeManagerResource.init)
        globals.add(ZwpPointerGesturesV1.self, PointerGesturesResource.init)
        globals.add(ZwpTabletManagerV2.self, TabletManagerResource.init)
        globals.add(ZwlrVirtualPointerManagerV1.self, requires: .inject, VirtualPointerManagerResource.init)
        globals.add(ZwlrScreencopyManagerV1.self, requires: .capture, ScreencopyManagerResource.init)
        globals.add(ZwpKeyboardShortcutsInhibitManagerV1.self, ShortcutsInhibitManagerResource.init)
        globals.add(ExtOutputImageCaptureSourceManagerV1.self, requires: .capture, OutputSourceManagerResource.init)
        globals.add(
            ExtForeignToplevelImageCaptureSourceManagerV1.self, requires: [.view, .capture],
            ToplevelSourceManagerResource.init)
        globals.add(ExtImageCopyCaptureManagerV1.self, requires: .capture, ImageCopyManagerResource.init)
        globals.add(ZxdgDecorationManagerV1.self, DecorationManagerResource.init)
        globals.add(OrgKdeKwinServerDecorationManager.self, KDEDecorationManagerResource.bind)
        globals.add(XdgWmDialogV1.self, DialogManagerResource.init)
        globals.add(XdgToplevelIconManagerV1.self, ToplevelIconManagerResource.init)
        globals.add(ZxdgExporterV2.self, ExporterResource<ZxdgExporterV2>.init)
        globals.add(ZxdgImporterV2.self, ImporterResource<ZxdgImporterV2>.init)
        globals.add(ZxdgExporterV1.self, ExporterResource<ZxdgExporterV1>.init)
        globals.add(ZxdgImporterV1.self, ImporterResource<ZxdgImporterV1>.init)
        globals.add(XdgSystemBellV1.self, SystemBellResource.init)
        let tokens = ActivationTokens()
        globals.add(XdgActivationV1.self) { (client, id, version) throws(ProtocolError) in
            try ActivationResource(client, id: id, version: version, tokens: tokens)
        }
        globals.add(ZwpIdleInhibitManagerV1.self, IdleInhibitManagerResource.init)
        globals.add(ExtIdleNotifierV1.self, IdleNotifierResource.init)
        globals.add(OrgKdeKwinIdle.self, KDEIdleResource.init)
        globals.add(WpPresentation.self, PresentationResource.init)
        globals.add(WpColorManagerV1.self, ColorManagerResource.init)
        globals.add(XdgToplevelDragManagerV1.self, ToplevelDragManagerResource.init)
        globals.add(ExtTransientSeatManagerV1.self, requires: .inject, TransientSeatManagerResource.init)
        // No sandboxes within sandboxes: the inner one could assume another name.
        globals.add(
            WpSecurityContextManagerV1.self, for: { $0.credentials.sandbox == nil }, SecurityContextManagerResource.init
        )
    }
}
