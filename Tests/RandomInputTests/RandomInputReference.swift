// A slow and obvious computation of what every client should read: H1, E1, E2 and E3.

import MullionGeometry
import MullionWayland
import TestSupport
import WindowModel

@testable import DisplayServer

/// State that all seats share.
final class RandomInputWorld {
    var windows: [RandomWindow] = []
    /// E7, indexed by client.
    var ignoring: [Int] = []

    /// Assigns the ids of the new windows, which it finds by title.
    func identify(_ ids: [Window.ID], in model: WindowModel) {
        for id in ids {
            let window = windows.first { $0.id.rawValue == 0 && $0.name == model.window(id)?.title }
            window?.id = id
        }
    }
}

/// What happens at one seat, and what should be read because of it: seats are independent of each other (K1). The model
/// is only asked for the order, frames and visibility of windows, and notifies who is key. The model's own tests prove
/// those.
final class RandomInputReference {
    /// The target of a sequence, and what must not change meanwhile (E2).
    struct Target {
        let face: RandomFace
        let screen: Screen.ID
        let orientation: Screen.Orientation
    }

    struct Finger {
        let id: Int32
        let screen: Screen.ID
        var target: Target?
        /// Whether its client received it: one cancel ends all touches of the client.
        var isKnown = false
    }

    /// Replaced on a restart.
    var model: WindowModel
    let seat: Seat.ID
    let world: RandomInputWorld
    /// The events that should be read, by client.
    var expected: [InputStreams] = []
    var fingers: [Finger] = []

    var keys: [UInt32] = []
    private var key: Window.ID?
    private var keyboard: RandomFace?
    /// The pop-up that has grabbed the keyboard.
    private var grabbing: RandomFace?

    var buttons: [UInt32] = []
    var knownButtons: [UInt32] = []
    var grab: Target?
    var pointer: RandomFace?
    var pointerScreen: Screen.ID?
    /// The outer optional is nil while none runs.
    var scroll: Target??
    var gesture: Target??
    /// The client that receives the running gesture.
    var gestureClient: Int?
    /// Clients that received scrolling and not its end yet.
    var scrolls: Set<Int> = []

    init(_ model: WindowModel, _ seat: Seat.ID, _ world: RandomInputWorld) {
        (self.model, self.seat, self.world) = (model, seat, world)
    }

    private var windows: [RandomWindow] { world.windows }

    // MARK: Hit-testing

    /// H1, H2: front to back.
    func hit(_ point: Point, on screen: Screen.ID?) -> RandomFace? {
        guard let screen, let value = model.screen(screen), value.bounds.contains(point) else { return nil }
        for id in model.windows(on: screen).reversed() {
            guard let window = windows.first(where: { $0.id == id }), let value = model.window(id), value.isVisible,
                value.alpha >= 0.01, value.takesInteraction
            else { continue }
            let place = point - value.frame.origin
            if let popup = window.popup?.face, popup.isAlive, popup.area.contains(place) { return popup }
            var area = window.root.area
            if case .window = window.kind { area = Rect(origin: .zero, size: value.frame.size) }
            guard area.contains(place) else { continue }
            if let face = window.subsurface?.face, face.isAlive, face.area.contains(place) { return face }
            if window.root.inputRegion?.contains(place) != false { return window.root }
        }
        return nil
    }

    /// E7: the target of what begins there.
    func target(at point: Point, on screen: Screen.ID?) -> Target? {
        guard let screen, let face = hit(point, on: screen), world.ignoring[face.window.client] == 0,
            let orientation = model.screen(screen)?.orientation
        else { return nil }
        return Target(face: face, screen: screen, orientation: orientation)
    }

    /// A point of a screen in a surface.
    func location(_ point: Point, in face: RandomFace) -> Point {
        point - (model.frame(of: face.window.id)?.origin ?? .zero) - face.area.origin
    }

    /// E2: whether the sequences of a target are over.
    func isOver(_ target: Target) -> Bool {
        let window = target.face.window.id
        return !target.face.isAlive || model.visibleScreen(of: window) != target.screen
            || model.screen(target.screen)?.orientation != target.orientation
    }

    // MARK: Touches

    func touch(_ id: Int32, _ phase: Event.Phase, _ point: Point, on screen: Screen.ID) {
        guard let index = fingers.firstIndex(where: { $0.id == id }) else {
            pressBegins(at: point, on: screen)
            let target = target(at: point, on: screen)
            fingers.append(Finger(id: id, screen: screen, target: target, isKnown: target != nil))
            guard let face = target?.face else { return }
            expectEvents(face) { $0.touch.append(.down(id, face.surface, location(point, in: face))) }
            return
        }
        let finger = fingers[index]
        if phase == .cancelled, finger.isKnown, let face = finger.target?.face { cancel(face.window.client) }
        if phase == .ended || phase == .cancelled { fingers.remove(at: index) }
        guard finger.isKnown, phase != .cancelled, let face = finger.target?.face else { return }
        expectEvents(face) { $0.touch.append(phase == .ended ? .up(id) : .motion(id, location(point, in: face))) }
    }

    private func cancel(_ client: Int) {
        expected[client].touch.append(.cancel)
        for index in fingers.indices where fingers[index].target?.face.window.client == client {
            fingers[index].isKnown = false
        }
    }

    private func cancelTouches() {
        for index in fingers.indices {
            guard let target = fingers[index].target, isOver(target) else { continue }
            if fingers[index].isKnown { cancel(target.face.window.client) }
            fingers[index].target = nil
        }
    }

    // MARK: Keys

    func press(_ code: UInt32, isDown: Bool) {
        if isDown {
            // E3
            guard windows.contains(where: { $0.id == key }) else { return }
            keys.append(code)
        } else {
            guard let index = keys.firstIndex(of: code) else { return }
            keys.remove(at: index)
        }
        if let keyboard { expectEvents(keyboard) { $0.keyboard.append(.key(code, isDown: isDown)) } }
    }

    func notice(_ effect: Effect) {
        switch effect {
        case .didBecomeKey(let window, _, seat):
            key = window
            world.identify([window], in: model)
        case .didResignKey(let window, _, seat):
            popupWindowEnds(window)
            if key == window { key = nil }
        case .didBecomeHidden(let window, _): return popupWindowEnds(window)
        default: return
        }
        updateKeyboard()
    }

    private func updateKeyboard() {
        let window = windows.first { $0.id == key && $0.root.isAlive }
        let next = grabbing?.window === window ? grabbing ?? window?.root : window?.root
        guard next !== keyboard else { return }
        if let old = keyboard { expectEvents(old) { $0.keyboard.append(.leave(old.surface)) } }
        keyboard = next
        if let next { expectEvents(next) { $0.keyboard.append(.enter(next.surface, keys)) } }
    }

    // MARK: Pop-ups

    /// A pop-up was shown that grabs the keyboard.
    func popupGrabs(_ face: RandomFace) {
        guard face.window.id == key else { return dismiss(face) }
        if let grabbing, grabbing.window !== face.window { dismiss(grabbing) }
        grabbing = face
        updateKeyboard()
    }

    func pressBegins(at point: Point, on screen: Screen.ID?) {
        // The client with the grab receives the presses in its own surfaces.
        guard let popup = grabbing, screen != nil, hit(point, on: screen)?.window.client != popup.window.client else {
            return
        }
        dismiss(popup)
        updateKeyboard()
        cancelTouches()
        cancelPointer()
    }

    private func popupWindowEnds(_ window: Window.ID) {
        guard let popup = grabbing, popup.window.id == window else { return }
        // K2: the keyboard leaves with the window, without entering what is below its pop-up.
        if key == window { key = nil }
        dismiss(popup)
        if key == window { key = nil }
        updateKeyboard()
    }

    private func dismiss(_ face: RandomFace) {
        face.isAlive = false
        if grabbing === face { grabbing = nil }
    }

    // MARK: Ends

    /// The client destroys a pop-up.
    func remove(popup face: RandomFace) {
        dismiss(face)
        updateKeyboard()
    }

    /// A surface is destroyed, perhaps in one turn with its window: it is left before anything else follows.
    func destroy(_ face: RandomFace) {
        face.isAlive = false
        if grabbing === face { grabbing = nil }
        if keyboard === face {
            expectEvents(face) { $0.keyboard.append(.leave(face.surface)) }
            keyboard = nil
        }
        if pointer === face { leavePointer(face) }
    }

    /// The connection of a client broke.
    func remove(client: Int) {
        for window in windows where window.client == client {
            for face in [window.root, window.subsurface?.face, window.popup?.face] { face.map(destroy) }
        }
        for index in fingers.indices where fingers[index].target?.face.window.client == client {
            fingers[index].isKnown = false
        }
        if gestureClient == client { gestureClient = nil }
        scrolls.remove(client)
    }

    /// Updates the state after changes.
    func follow() {
        cancelTouches()
        cancelPointer()
        followPointer()
    }

    func expectEvents(_ face: RandomFace, _ body: (inout InputStreams) -> Void) { body(&expected[face.window.client]) }
}
