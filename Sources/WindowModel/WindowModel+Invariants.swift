// Invariants that hold between any two calls, for tests and for a debugging server.

import MullionGeometry

extension WindowModel {
    /// Descriptions of all violated invariants; empty when there are none. Visits the whole model.
    public func checkInvariants() -> [String] {
        var broken: [String] = []
        func check(_ holds: Bool, _ message: @autoclosure () -> String) {
            if !holds { broken.append(message()) }
        }
        checkScreens(check)
        checkMirroring(check)
        checkWindows(check)
        for seat in seatNodes { checkKey(of: seat, check) }
        for seat in seatNodes { checkInput(of: seat, check) }
        checkSeats(check)
        checkSurfaces(check)
        return broken
    }

    typealias Check = (Bool, @autoclosure () -> String) -> Void

    private func checkScreens(_ check: Check) {
        if screenNodes.contains(where: { $0.value.kind == .builtIn }) {
            check(screenNodes.first?.value.kind == .builtIn, "\(Rule.s2): the main screen is not built in")
        }
        let plugged = pluggedScreens
        check(Set(plugged.map(\.name)).count == plugged.count, "\(Rule.s1): two screens have one name")
        check(Set(plugged.map(\.id)).count == plugged.count, "\(Rule.s1): two screens have one id")
        check(switchedOff.allSatisfy { !$0.isEnabled }, "\(Rule.s1): a switched-off screen is enabled")
        check(switchedOff.allSatisfy { $0.mirroredScreen == nil }, "\(Rule.s7): a switched-off screen mirrors another")
        for screen in screenNodes {
            let order = screen.order
            check(screen.value.isEnabled, "\(Rule.s1): screen \(screen.id) is connected though it is switched off")
            check(
                screen.value.properties.modes.contains(screen.value.currentMode),
                "\(Rule.s3): screen \(screen.id) is in a mode that it does not have")
            check(
                order.count == screen.boxes.count,
                "\(Rule.h1): screen \(screen.id): the number of boxes is not that of windows, \(order.count)")
            check(
                screen.plainCount == order.count { $0.window.value.needsContent },
                "\(Rule.w3): screen \(screen.id) counts its plain windows wrongly")
            for (a, b) in zip(order, order.dropFirst()) {
                check(
                    (a.level, a.entry) < (b.level, b.entry),
                    "\(Rule.w3): screen \(screen.id): \(a.window.id) is misplaced")
            }
            for (entry, box) in zip(order, screen.boxes) {
                let window = entry.window
                check(
                    window.screen === screen && window.value.isVisible,
                    "\(Rule.v1): \(window.id) is in the wrong order")
                check(
                    entry.level == window.stackingLevel && entry.entry == window.entry,
                    "\(Rule.w3): \(window.id) is in the order with an old level")
                check(windowNodes[window.id] === window, "\(Rule.w7): \(window.id) is shown though destroyed")
                check(window.boxIsStale || box == self.box(of: window), "\(Rule.h1): \(window.id) has an old hit box")
            }
        }
    }

    private func checkMirroring(_ check: Check) {
        check(
            mirrorCount == screenNodes.count { $0.value.mirroredScreen != nil },
            "\(Rule.s7): the number of mirroring screens is wrong")
        for screen in screenNodes {
            guard let source = screen.value.mirroredScreen else { continue }
            check(screen.order.isEmpty, "\(Rule.s7): screen \(screen.id) mirrors though a window is visible on it")
            check(screenNode(source) != nil, "\(Rule.s7): screen \(screen.id) mirrors one that is not connected")
            var (shown, steps) = (screen, 0)
            while let next = shown.value.mirroredScreen.flatMap({ screenNode($0) }), steps <= screenNodes.count {
                (shown, steps) = (next, steps + 1)
            }
            check(steps <= screenNodes.count, "\(Rule.s7): screen \(screen.id) mirrors itself")
        }
        for screen in rotating {
            check(
                screen.rotation != nil && screenNode(screen.id) === screen,
                "\(Rule.r1): \(screen.id) is wrongly listed as rotating")
        }
        check(
            rotating.count == screenNodes.count { $0.rotation != nil },
            "\(Rule.r1): the number of rotating screens is wrong")
    }

    private func checkWindows(_ check: Check) {
        var shown = 0
        for window in windowNodes.values {
            let value = window.value
            if value.isVisible { shown += 1 }
            check(
                value.isVisible == (window.wantsVisible && window.screen != nil),
                "\(Rule.v1): \(value.id) has wrong state")
            check(value.screen == window.screen?.id, "\(Rule.w1): \(value.id) names another screen than it is on")
            check(
                window.screen == nil || value.awaitedScreen == nil,
                "\(Rule.s8): \(value.id) waits though it has a screen")
            check(window.screen.map { screenNode($0.id) === $0 } ?? true, "\(Rule.s8): \(value.id) is on a lost screen")
            check(
                window.screen != nil || value.awaitedScreen != nil || screenNodes.isEmpty,
                "\(Rule.s2): \(value.id) waits")
            checkFamily(of: window, check)
            check(
                window.disablers.count == Int(value.interactionDisablers),
                "\(Rule.e8): \(value.id) has a wrong number of disablers")
            check(
                applicationNodes[value.application] === window.application, "\(Rule.w7): \(value.id) has no application"
            )
            check(window.application.windows.contains { $0 === window }, "\(Rule.w4): \(value.id) is not listed")
        }
        let ordered = screenNodes.reduce(0) { $0 + $1.order.count }
        check(shown == ordered, "\(Rule.v1): \(shown) windows are visible, \(ordered) in the orders")
    }

    private func checkFamily(of window: WindowNode, _ check: Check) {
        let (value, parent) = (window.value, window.parent)
        check(value.parent == parent?.id, "\(Rule.w3): \(value.id) names another parent")
        check(
            window.stackingLevel == max(value.level, parent?.stackingLevel ?? value.level),
            "\(Rule.w3): \(value.id) is on a wrong level")
        check(window.children.allSatisfy { $0.parent === window }, "\(Rule.w3): \(value.id) has another's child")
        guard let parent else { return }
        check(windowNodes[parent.id] === parent, "\(Rule.w3): \(value.id) has a destroyed parent")
        check(parent.children.count { $0 === window } == 1, "\(Rule.w3): \(value.id) is not a child of its parent")
        check(window.isInFront(of: parent), "\(Rule.w3): \(value.id) is behind its parent")
    }

    private func checkSurfaces(_ check: Check) {
        let alive = surfaces.nodes.count(where: \.isAlive)
        check(alive == surfaces.count, "\(Rule.c1): \(alive) surfaces, \(surfaces.count) counted")
        for (index, node) in surfaces.nodes.enumerated() where node.isAlive {
            let index = UInt32(index)
            check(node.window == nil || node.role == .root || node.role == .popup, "\(Rule.w5): \(index) has a window")
            check(node.parent == SurfaceTree.none || node.role == .subsurface, "\(Rule.w5): \(index) has a parent")
            if node.role == .root, let window = node.window {
                check(window.root == index, "\(Rule.w1): \(index) is not a root")
            }
            if node.role == .popup, let window = node.window {
                check(window.popups.filter { $0 == index }.count == 1, "\(Rule.c3): \(index) is not a pop-up")
            }
            checkChildren(of: index, check)
            checkMeasures(of: index, check)
        }
        for window in windowNodes.values where window.root != SurfaceTree.none {
            let root = surfaces.nodes[Int(window.root)]
            check(root.isAlive && root.window === window, "\(Rule.w1): \(window.id) has lost its root")
            check(root.hasContent == window.rootHasContent, "\(Rule.v1): \(window.id) has another content")
            check(window.value.root == surfaces.id(window.root), "\(Rule.w1): \(window.id) names another root")
        }
    }

    /// Compares the trees' stored measures with those found by walking them.
    private func checkMeasures(of index: UInt32, _ check: Check) {
        let node = surfaces.nodes[Int(index)]
        let found = walk(index)
        check(surfaces.height(of: index) == found.height, "\(Rule.c1): \(index) has a wrong height")
        check(surfaces.extent(of: index, isMapped: true) == found.extent, "\(Rule.c5): \(index) has a wrong extent")
        let above = sequence(first: node.firstChild) { self.surfaces.nodes[Int($0)].next }
            .first { $0 == SurfaceTree.none || !self.surfaces.nodes[Int($0)].isBelow }
        check(node.firstAbove == above, "\(Rule.c1): \(index) has another first child above it")
    }

    private func walk(_ index: UInt32) -> (height: Int, extent: Box) {
        let node = surfaces.nodes[Int(index)]
        var (height, extent) = (0, node.hasContent ? Box(Rect(origin: .zero, size: node.size)) : .empty)
        var child = node.firstChild
        while child != SurfaceTree.none {
            let (inner, below) = (surfaces.nodes[Int(child)], walk(child))
            height = max(height, below.height)
            if inner.hasContent { extent = extent.union(below.extent.offset(by: inner.position)) }
            child = inner.next
        }
        return (height + 1, extent)
    }

    private func checkChildren(of parent: UInt32, _ check: Check) {
        var child = surfaces.nodes[Int(parent)].firstChild
        var previous = SurfaceTree.none
        var (count, below) = (0, 0)
        while child != SurfaceTree.none {
            let node = surfaces.nodes[Int(child)]
            check(
                node.isAlive && node.parent == parent && node.previous == previous,
                "\(Rule.c1): \(child) is linked wrongly")
            if node.isBelow {
                check(below == count, "\(Rule.c1): \(child) is below the content but above a sibling that is not")
                below += 1
            }
            count += 1
            previous = child
            child = node.next
        }
        let node = surfaces.nodes[Int(parent)]
        check(node.lastChild == previous, "\(Rule.c1): \(parent) has another last child")
        check(node.childCount == count && node.belowCount == below, "\(Rule.c1): \(parent) counts its children wrongly")
    }
}
