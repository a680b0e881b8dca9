// The two protocols of selections, which differ in names only.

import MullionSystem

/// The requests and events that wl_data_device and zwp_primary_selection_device_v1, and their objects, have in common.
package protocol SelectionProtocol {
    associatedtype Manager: WaylandInterface
    associatedtype Device: WaylandInterface
    associatedtype Source: WaylandInterface
    associatedtype Offer: WaylandInterface

    static func getDevice(_ id: ObjectID, seat: ObjectID) -> Manager.Request
    static func createSource(_ id: ObjectID) -> Manager.Request
    static func setSelection(_ source: ObjectID?, serial: UInt32) -> Device.Request
    /// The destructor of devices; nil if that version has none.
    static func release(version: UInt32) -> Device.Request?
    static func offer(_ type: String) -> Source.Request
    static var destroySource: Source.Request { get }
    static func receive(_ type: String, _ descriptor: OwnedDescriptor) -> Offer.Request
    static var destroyOffer: Offer.Request { get }

    /// What an event says about the selection; nil: nothing.
    static func event(_ event: Device.Event) -> SelectionDeviceEvent?
    static func event(_ event: Source.Event) -> SelectionSourceEvent?
    /// The type that the event adds to an offer.
    static func type(_ event: Offer.Event) -> String?
}

package enum SelectionDeviceEvent {
    /// A new offer.
    case offer(ObjectID)
    /// The offer of the selection; nil: there is no content.
    case selection(ObjectID?)
    /// The offer is not of the selection, but of a drag over a surface of the client.
    case drag(ObjectID)
}

package enum SelectionSourceEvent {
    case send(String, OwnedDescriptor)
    case cancelled
}

/// wl_data_device
package enum Clipboard: SelectionProtocol {
    package typealias Manager = WlDataDeviceManager
    package typealias Device = WlDataDevice
    package typealias Source = WlDataSource
    package typealias Offer = WlDataOffer

    package static func getDevice(_ id: ObjectID, seat: ObjectID) -> Manager.Request {
        .getDataDevice(id: id, seat: seat)
    }
    package static func createSource(_ id: ObjectID) -> Manager.Request { .createDataSource(id: id) }
    package static func setSelection(_ source: ObjectID?, serial: UInt32) -> Device.Request {
        .setSelection(source: source, serial: serial)
    }
    package static func release(version: UInt32) -> Device.Request? { version < 2 ? nil : .release }
    package static func offer(_ type: String) -> Source.Request { .offer(mimeType: type) }
    package static var destroySource: Source.Request { .destroy }
    package static func receive(_ type: String, _ descriptor: OwnedDescriptor) -> Offer.Request {
        .receive(mimeType: type, fd: descriptor)
    }
    package static var destroyOffer: Offer.Request { .destroy }

    package static func event(_ event: Device.Event) -> SelectionDeviceEvent? {
        switch event {
        case .dataOffer(let id): .offer(id)
        case .selection(let id): .selection(id)
        case .enter(_, _, _, _, let id): id.map { .drag($0) }
        case .leave, .motion, .drop: nil
        }
    }

    package static func event(_ event: Source.Event) -> SelectionSourceEvent? {
        switch event {
        case .send(let type, let descriptor): .send(type, descriptor)
        case .cancelled: .cancelled
        case .target, .dndDropPerformed, .dndFinished, .action: nil
        }
    }

    package static func type(_ event: Offer.Event) -> String? {
        if case .offer(let type) = event { type } else { nil }
    }
}

/// zwp_primary_selection_device_v1
package enum PrimarySelection: SelectionProtocol {
    package typealias Manager = ZwpPrimarySelectionDeviceManagerV1
    package typealias Device = ZwpPrimarySelectionDeviceV1
    package typealias Source = ZwpPrimarySelectionSourceV1
    package typealias Offer = ZwpPrimarySelectionOfferV1

    package static func getDevice(_ id: ObjectID, seat: ObjectID) -> Manager.Request { .getDevice(id: id, seat: seat) }
    package static func createSource(_ id: ObjectID) -> Manager.Request { .createSource(id: id) }
    package static func setSelection(_ source: ObjectID?, serial: UInt32) -> Device.Request {
        .setSelection(source: source, serial: serial)
    }
    package static func release(version: UInt32) -> Device.Request? { .destroy }
    package static func offer(_ type: String) -> Source.Request { .offer(mimeType: type) }
    package static var destroySource: Source.Request { .destroy }
    package static func receive(_ type: String, _ descriptor: OwnedDescriptor) -> Offer.Request {
        .receive(mimeType: type, fd: descriptor)
    }
    package static var destroyOffer: Offer.Request { .destroy }

    package static func event(_ event: Device.Event) -> SelectionDeviceEvent? {
        switch event {
        case .dataOffer(let id): .offer(id)
        case .selection(let id): .selection(id)
        }
    }

    package static func event(_ event: Source.Event) -> SelectionSourceEvent? {
        switch event {
        case .send(let type, let descriptor): .send(type, descriptor)
        case .cancelled: .cancelled
        }
    }

    package static func type(_ event: Offer.Event) -> String? {
        switch event {
        case .offer(let type): type
        }
    }
}
