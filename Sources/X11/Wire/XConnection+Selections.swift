// Requests about selections.

extension XConnection {
    /// Asks for notifications of a selection's owners.
    public func watchSelection(_ selection: XAtom, with window: XWindowID) {
        guard let opcode = opcodes[.xfixes] else { return }
        send(opcode, 2) {
            $0.put(window)
            $0.put(selection)
            // New owner, owner's window destroyed, owner's connection ended.
            $0.put(UInt32(7))
        }
    }

    /// Makes a window the owner of a selection; none: nobody.
    public func setSelectionOwner(_ window: XWindowID, of selection: XAtom, time: XTime = 0) {
        send(22) {
            $0.put(window)
            $0.put(selection)
            $0.put(time)
        }
    }

    /// Asks the owner of a selection to write its content to a property of a window.
    public func convertSelection(
        _ selection: XAtom, to target: XAtom, for window: XWindowID, property: XAtom, time: XTime
    ) {
        send(24) {
            $0.put(window)
            $0.put(selection)
            $0.put(target)
            $0.put(property)
            $0.put(time)
        }
    }

    /// Answers a request.
    /// - Parameter property: where the content is; none: refused.
    public func answer(_ request: XSelectionRequest, property: XAtom) {
        sendEvent(to: request.requestor, mask: []) {
            $0.put(31 as UInt8)
            $0.put(0 as UInt8)
            $0.put(UInt16(0))
            $0.put(request.time)
            $0.put(request.requestor)
            $0.put(request.selection)
            $0.put(request.target)
            $0.put(property)
        }
    }
}
