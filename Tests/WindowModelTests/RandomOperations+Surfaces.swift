// Random operations on surfaces.

import WindowModel

extension RandomRun {
    typealias Surf = ReferenceModel.Surf

    func surfaces(of w: ReferenceModel.Win) throws {
        guard let root = w.root else {
            let root = Surf(model.createSurface())
            try model.setRoot(root.id, of: w.id)
            w.root = root
            let size = self.size()
            try model.setContent(root.id, size: size)
            reference.setContent(root, of: w, size)
            say("root of \(w.id)")
            return
        }
        let all = (root.all + w.popups.flatMap(\.all))
        guard let s = random.pick(all) else { return }
        let choice = random.below(8)
        say("surface \(choice) \(w.id) \(s.id.index)")
        switch choice {
        case 0:
            let size = random.chance(30) ? nil : self.size()
            try model.setContent(s.id, size: size)
            reference.setContent(s, of: w, size)
        case 1:
            s.region = random.chance(40) ? nil : random.chance(30) ? [] : [frame(), frame()]
            try model.setInputRegion(s.id, s.region)
        case 2, 3: try add(to: s, of: w, index: choice == 2 ? nil : random.below(s.above.count + 1))
        case 4: try popup(w)
        case 5: try reorder(in: s, of: w)
        case 6: if s !== root && all.count > 3 { try drop(s, of: w) }
        default:
            guard s !== root else { return }
            s.position = frame().origin
            try model.setPosition(s.id, s.position)
        }
    }

    private func add(to parent: Surf, of w: ReferenceModel.Win, index: Int?) throws {
        let child = Surf(model.createSurface())
        if let index {
            try model.insert(child.id, in: parent.id, at: index)
            parent.above.insert(child, at: index)
        } else {
            try model.addSubsurface(child.id, to: parent.id)
            parent.above.append(child)
        }
        child.size = size()
        try model.setContent(child.id, size: child.size)
    }

    private func popup(_ w: ReferenceModel.Win) throws {
        let popup = Surf(model.createSurface())
        popup.position = frame().origin
        try model.addPopup(popup.id, to: w.id, at: popup.position)
        w.popups.append(popup)
        popup.size = size()
        try model.setContent(popup.id, size: popup.size)
    }

    private func reorder(in parent: Surf, of w: ReferenceModel.Win) throws {
        guard let child = random.pick(parent.below + parent.above) else { return }
        let others = (parent.below + parent.above).filter { $0 !== child }
        let other = random.pick(others + [parent]) ?? parent
        let above = random.chance(50)
        if above { try model.place(child.id, above: other.id) } else { try model.place(child.id, below: other.id) }
        parent.below.removeAll { $0 === child }
        parent.above.removeAll { $0 === child }
        if other === parent {
            if above { parent.above.insert(child, at: 0) } else { parent.below.append(child) }
        } else if let index = parent.below.firstIndex(where: { $0 === other }) {
            parent.below.insert(child, at: above ? index + 1 : index)
        } else if let index = parent.above.firstIndex(where: { $0 === other }) {
            parent.above.insert(child, at: above ? index + 1 : index)
        }
    }

    private func drop(_ s: Surf, of w: ReferenceModel.Win) throws {
        reference.cancel(in: s)
        try model.destroySurface(s.id)
        w.popups.removeAll { $0 === s }
        for other in (w.root?.all ?? []) + w.popups.flatMap(\.all) {
            other.below.removeAll { $0 === s }
            other.above.removeAll { $0 === s }
        }
    }
}
