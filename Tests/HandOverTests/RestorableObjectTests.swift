// Every protocol object survives a restart, or there is a stated reason why not.

import MullionWayland
import Testing

@testable import DisplayServer

@Suite struct RestorableObjectTests {
    /// The interfaces whose objects are not restored.
    private static let unrestored = [
        "wl_display": "every connection has one from its beginning",
        "wl_callback": "the callbacks of a surface are part of its state; the others are answered at once",
        "wp_image_description_info_v1": "answered at once",
        "wp_presentation_feedback": "discarded before the hand-over: whether the commit shows in time cannot be known",
    ]

    @Test(
        "every generated interface has a restorable object, or a stated reason why not",
        arguments: allInterfaces.map { $0.name })
    func complete(name: String) {
        let kinds = RestorableObjects.all.filter { $0.interfaces.contains { $0.name == name } }
        if let reason = Self.unrestored[name] {
            #expect(!reason.isEmpty)
            #expect(kinds.isEmpty, "\(name) is restored, although \(reason)")
        } else {
            #expect(kinds.count == 1, "\(name) is restored by \(kinds), and not by exactly one kind of object")
        }
    }

    @Test("the reasons and the register name generated interfaces only, and every kind has a name")
    func known() {
        let names = Set(allInterfaces.map { $0.name })
        #expect(names.isSuperset(of: Self.unrestored.keys))
        for kind in RestorableObjects.all {
            #expect(!kind.interfaces.isEmpty, "\(kind)")
            #expect(names.isSuperset(of: kind.interfaces.map { $0.name }), "\(kind)")
        }
    }
}
