// Windows that return to their screen in the slow model, by the text of S2, S8 and W3.

import WindowModel

extension ReferenceModel {
    /// First each has its screen, then all are notified of that, then what became visible is.
    func bringBack(to scr: Scr) {
        let back = sorted(windows.filter { $0.screen == nil && ($0.awaits == nil || $0.awaits == scr.name) })
        for w in back {
            w.screen = scr.id
            w.awaits = nil
        }
        updateMirrors()
        for w in back {
            notify(.screenDidChange(w.id, w.application, scr.id))
            if w.takesBounds { setFrame(w, space(w.application, scr)) }
        }
        returning = back.filter(\.visible)
        for w in sorted(windows.filter { w in w.follows && back.contains { $0.id == w.parent } }) where w.follows {
            w.follows = false
            if w.screen != scr.id { place(w, on: scr.id) }
        }
        let shown = returning ?? []
        returning = nil
        for w in shown { becameVisible(w) }
        holdersTakeKey()
    }
}
