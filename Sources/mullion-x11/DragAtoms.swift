// The atoms of drags.

import X11

/// Names of messages and actions, and their numbers in one X server.
final class DragAtoms {
    private var kinds: [XAtom: DragMessage.Kind] = [:]
    private var messages: [DragMessage.Kind: XAtom] = [:]
    private var actions: [XAtom: DragAction] = [:]
    private var numbers: [DragAction: XAtom] = [:]

    /// Looks them up; until the X server has answered there are none.
    init(_ atoms: Atoms, _ x: XConnection) {
        for kind in DragMessage.Kind.allCases {
            atoms.intern(kind.rawValue, x) { [weak self] atom in
                guard let self, let atom else { return }
                kinds[atom] = kind
                messages[kind] = atom
            }
        }
        for action in DragAction.allCases {
            atoms.intern(action.rawValue, x) { [weak self] atom in
                guard let self, let atom else { return }
                actions[atom] = action
                numbers[action] = atom
            }
        }
    }

    func message(_ message: XClientMessage) -> DragMessage? {
        kinds[message.type].map { DragMessage($0, message.data) }
    }

    /// The message for a window.
    func message(_ message: DragMessage, to window: XWindowID) -> XClientMessage {
        XClientMessage(window: window, type: messages[message.kind] ?? .none, data: message.data)
    }

    func action(_ atom: XAtom) -> DragAction? { actions[atom] }

    subscript(action: DragAction?) -> XAtom { action.flatMap { numbers[$0] } ?? .none }
}
