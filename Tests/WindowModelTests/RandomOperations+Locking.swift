// Random operations on locks and reserved input.

import WindowModel

extension RandomRun {
    func lockOrReserve() throws {
        guard let application = random.pick(applications) else { return }
        let choice = random.below(6)
        say("lock \(choice) \(application)")
        switch choice {
        case 0, 1:
            var isAccepted = true
            do { try model.lock(by: application) } catch { isAccepted = false }
            guard reference.lock(application) == isAccepted else { throw Mismatch("L3: locked: \(isAccepted)") }
        case 2:
            model.unlock()
            reference.unlock()
        case 3:
            model.abandonLock(by: application)
            reference.abandon(application)
        case 4:
            var isAccepted = true
            do { try model.reserveInput(for: application) } catch { isAccepted = false }
            guard reference.reserve(application) == isAccepted else { throw Mismatch("L4: reserved: \(isAccepted)") }
        default:
            model.releaseInput(of: application)
            reference.release(application)
        }
    }

    /// Throws the first difference between the locks.
    func compareLocks() throws {
        guard model.isLocked == reference.isLocked, model.lockHolder == reference.lockHolder,
            model.inputHolder == reference.inputOwner
        else { throw Mismatch("L3: locked \(model.isLocked) by \(String(describing: model.lockHolder))") }
        for screen in model.screens {
            let shown = Set(model.frame(for: screen)?.layers.compactMap(\.window) ?? [])
            let wrong = reference.windows.filter { shown.contains($0.id) && !reference.shows($0) }.map(\.id)
            if !wrong.isEmpty { throw Mismatch("L1: screen \(screen) shows \(wrong)") }
        }
    }
}
