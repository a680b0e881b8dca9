// Drags over the windows of an X server, and the icons of its own.

import MullionWayland
import WindowModel

extension X11ServerResource {
    func receiveDrags(_ device: DataDeviceResource) {
        dragDevices.removeAll { $0.seat === device.seat }
        dragDevices.append(device)
    }
}

extension X11WindowResource {
    /// The manager's objects that receive what is dragged over the window.
    func dragDevices(of seat: ServerSeat) -> [DataDeviceResource] {
        x11?.dragDevices.filter { $0.seat === seat } ?? []
    }

    /// Sends that something is dragged over the window.
    func dragDidEnter(_ device: DataDeviceResource, serial: UInt32, x: Fixed, y: Fixed, _ offer: ObjectID?) {
        // X servers drag nothing themselves.
        guard let offer else { return }
        send(MullionX11WindowV1.Event.dragEntered(serial: serial, device: device.id, x: x, y: y, offer: offer))
    }

    /// The icon follows the pointer of an X11 program's drag, which must find what lies behind it.
    func becomeDragIcon(_ window: Window.ID) {
        server.logErrors { () throws(ModelError) in
            try server.model.setUserInteractionEnabled(false, of: window)
            try server.model.setParent(nil, of: window)
            try server.model.bringToFront(window)
        }
    }

    /// Called when a window that was a drag's icon has another kind.
    func endDragIcon(_ window: Window.ID) {
        server.logErrors { () throws(ModelError) in try server.model.setUserInteractionEnabled(true, of: window) }
    }
}
