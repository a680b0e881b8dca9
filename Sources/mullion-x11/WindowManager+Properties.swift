// What windows say about themselves.

import MullionWayland
import X11

extension WindowManager {
    typealias Property = ManagedWindow.Property

    private func atom(_ property: Property) -> XAtom {
        switch property {
        case .name: .wmName
        case .netName: atoms[.netName]
        case .windowClass: .wmClass
        case .transientFor: .wmTransientFor
        case .protocols: atoms[.wmProtocols]
        case .hints: .wmHints
        case .normalHints: .wmNormalHints
        case .motifHints: atoms[.motifHints]
        case .type: atoms[.netWindowType]
        case .state: atoms[.netState]
        }
    }

    /// The most words of a property that are read, whatever its size.
    private func limit(_ property: Property) -> Int {
        switch property {
        case .name, .netName, .windowClass: WindowText.limit / 4
        default: 64
        }
    }

    /// Reads all properties and the geometry of a new window.
    func readAll(_ window: ManagedWindow) {
        for property in Property.allCases { read(property, of: window) }
        // The last reply: everything is known then.
        x.geometry(of: window.id) { [weak self] frame in
            guard let self else { return }
            // Until then the server can say that there are too many.
            defer { session.link.whenAnswered { [weak self] in self?.didAdd(window) } }
            guard !window.isGone else { return }
            if let frame { window.frame = frame }
            describe(window)
        }
    }

    func propertyChanged(_ window: ManagedWindow, _ changed: XAtom) {
        // The window manager sets the state itself.
        guard let property = Property.allCases.first(where: { atom($0) == changed }), property != .state else { return }
        read(property, of: window)
    }

    /// Reads a property once more. A program that changes it all the time causes one reading at a time.
    private func read(_ property: Property, of window: ManagedWindow) {
        guard window.reading.insert(property).inserted else {
            window.stale.insert(property)
            return
        }
        x.property(window.id, atom(property), limit: limit(property)) { [weak self] value in
            guard let self, !window.isGone else { return }
            window.reading.remove(property)
            set(property, value, of: window)
            if window.isDescribed { update(window) }
            if window.stale.remove(property) != nil { read(property, of: window) }
        }
    }

    private func set(_ property: Property, _ value: XProperty?, of window: ManagedWindow) {
        switch property {
        case .name: window.name = WindowText.text(value, utf8: atoms[.utf8String])
        case .netName: window.netName = WindowText.text(value, utf8: atoms[.utf8String])
        case .windowClass:
            if let name = WindowText.windowClass(value)?.name { window.send(.setAppId(appId: name)) }
        case .transientFor:
            setParent(of: window, XWindowID(rawValue: value?.words.first ?? 0))
        case .protocols:
            let protocols = value?.atoms ?? []
            window.takesFocus = protocols.contains(atoms[.wmTakeFocus])
            window.deletesOnRequest = protocols.contains(atoms[.wmDeleteWindow])
        case .hints: window.hints = WindowHints(value)
        case .normalHints: window.normalHints = NormalHints(value)
        case .motifHints: window.wantsDecoration = MotifHints.isDecorated(value)
        case .type: window.types = (value?.atoms ?? []).compactMap(atoms.kind)
        case .state:
            let states = value?.atoms ?? []
            window.isModal = states.contains(atoms[.netStateModal])
            window.initialStates = states.reduce(into: []) { $0.formUnion(self.states(of: $1) ?? []) }
        }
    }

    /// The state that an atom names, if the server knows it.
    func states(of atom: XAtom) -> WindowStates? {
        switch atom {
        case atoms[.netStateMaximizedVertically], atoms[.netStateMaximizedHorizontally]: .maximized
        case atoms[.netStateFullscreen]: .fullscreen
        case atoms[.netStateHidden]: .minimized
        default: nil
        }
    }

    // MARK: To the server

    /// Sends everything about a new window. The answer is where it is; then it is mapped.
    private func describe(_ window: ManagedWindow) {
        window.isDescribed = true
        update(window)
        for id in children[window.id] ?? [] {
            if let child = windows[id], child.isDescribed { sendParent(child) }
        }
        if window.isUnmanaged { return sendFrame(window, XConfiguration(window.frame), isPositioned: true) }
        var states = window.initialStates
        if window.hints.startsIconic { states.insert(.minimized) }
        if !states.isEmpty { send(StateChange(mask: states, states: states), to: window) }
        let frame = window.early.applied(to: window.frame)
        let isPositioned =
            window.normalHints.wantsPosition(frame) || (window.early.x != nil && window.early.y != nil)
        if let request = window.requests.add(XConfiguration(frame)) {
            sendFrame(window, request, isPositioned: isPositioned)
        }
    }

    /// Sends what has changed.
    private func update(_ window: ManagedWindow) {
        if window.sent.title != window.title {
            window.sent.title = window.title
            window.send(.setTitle(title: window.title.cut(toBytes: 2048)))
        }
        if window.sent.kind != window.kind {
            window.sent.kind = window.kind
            window.send(.setKind(kind: MullionX11WindowV1.Kind(window.kind)))
        }
        sendParent(window)
        guard !window.isUnmanaged else { return }
        if window.sent.limits != window.normalHints {
            window.sent.limits = window.normalHints
            let (minimum, maximum) = (window.normalHints.minimum, window.normalHints.maximum)
            window.send(
                .setSizeLimits(
                    minWidth: Int32(minimum.width), minHeight: Int32(minimum.height), maxWidth: Int32(maximum.width),
                    maxHeight: Int32(maximum.height)))
        }
        if window.sent.acceptsFocus != window.input.acceptsFocus {
            window.sent.acceptsFocus = window.input.acceptsFocus
            window.send(.setAcceptsFocus(acceptsFocus: window.input.acceptsFocus ? 1 : 0))
        }
        if window.sent.isDecorated != window.isDecorated {
            window.sent.isDecorated = window.isDecorated
            window.send(.setDecorated(isDecorated: window.isDecorated ? 1 : 0))
        }
    }

    /// Called when an unmanaged window of a program that drags has moved. It is the icon: GTK 4's has no type that says
    /// so.
    func followsDrag(_ window: ManagedWindow) {
        guard !window.followsDrag else { return }
        window.followsDrag = true
        if window.isDescribed { update(window) }
    }

    /// Called when the drag has ended: the program may use its icon for something else.
    func dragEnded() {
        dragSource = nil
        for window in windows.values where window.followsDrag {
            window.followsDrag = false
            if window.isDescribed { update(window) }
        }
    }

    /// The parent counts once it is known, too.
    private func sendParent(_ window: ManagedWindow) {
        let parent = windows[window.transientFor].flatMap { $0 === window || $0.isInert ? nil : $0 }
        let id = parent?.id ?? .none
        guard window.sent.parent != id else { return }
        window.sent.parent = id
        window.send(.setParent(parent: parent?.proxy.id))
    }

    func send(_ change: StateChange, to window: ManagedWindow) {
        window.send(
            .setState(
                mask: MullionX11WindowV1.State(rawValue: change.mask.rawValue),
                states: MullionX11WindowV1.State(rawValue: change.states.rawValue)))
    }
}

extension MullionX11WindowV1.Kind {
    fileprivate init(_ kind: WindowKind) {
        self =
            switch kind {
            case .normal: .normal
            case .dialog: .dialog
            case .unmanaged: .unmanaged
            case .dragIcon: .dragIcon
            }
    }
}
