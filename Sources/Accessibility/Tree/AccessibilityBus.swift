// The accessibility bus (AT-SPI 2) and the programs on it.

import Glibc
import MullionSystem

/// A connection to the bus on which programs describe their widgets.
package final class AccessibilityBus {
    /// How much is read from one program at most.
    package struct Limits: Sendable {
        package var objects = 10_000
        package var depth = 100
        /// Cells of a table or list that creates them on demand.
        package var cells = 1000
        /// Bytes of its answers.
        package var bytes = 32 << 20

        package init() {}
    }

    static let accessible = "org.a11y.atspi.Accessible"
    private static let registryName = "org.a11y.atspi.Registry"
    private static let rootPath = "/org/a11y/atspi/accessible/root"

    let connection: BusConnection
    let limits: Limits
    private var pids: [String: Int32] = [:]
    private var toolkits: [String: String] = [:]

    /// Connects to the bus of AT_SPI_BUS_ADDRESS, otherwise to the one that the session bus names.
    /// - Parameters:
    ///   - variable: reads the environment.
    ///   - deadline: a time of `MonotonicClock.seconds`.
    package init(
        variable: (String) -> String?, limits: Limits = Limits(), until deadline: Double = .infinity
    ) throws(BusError) {
        self.limits = limits
        if let address = variable("AT_SPI_BUS_ADDRESS") {
            connection = try BusConnection(BusAddress(address), until: deadline)
            return
        }
        let session: String
        if let address = variable("DBUS_SESSION_BUS_ADDRESS") {
            session = address
        } else if let folder = variable("XDG_RUNTIME_DIR"), unsafe access(folder + "/bus", F_OK) == 0 {
            session = "unix:path=\(folder)/bus"
        } else {
            throw .noBus
        }
        let bus = try BusConnection(BusAddress(session), until: deadline)
        let question = BusCall("GetAddress", of: "org.a11y.Bus", at: "/org/a11y/bus", destination: "org.a11y.Bus")
        // The bus may have to be started.
        let reply = try bus.call(question, patience: 20, until: deadline)
        guard let address = reply.value?.string else {
            guard case .error(let name) = reply else { throw reply == .silence ? .timeout : .malformed }
            throw .noAccessibility(name)
        }
        connection = try BusConnection(BusAddress(address), until: deadline)
    }

    /// Whether the last reading was cut because its time was up.
    package var isCut: Bool { !connection.late.isEmpty }
    /// Whether the last reading may lack programs, because the bus did not say in time which ones there are.
    package var lacksPrograms: Bool {
        !connection.late.union(connection.silent).isDisjoint(with: [Self.registryName, BusCall.busName])
    }

    /// The programs on the bus, without their trees.
    package func applications(until deadline: Double) throws(BusError) -> [AccessibleApplication] {
        connection.beginReading()
        let registry = Accessible.ID(bus: Self.registryName, path: Self.rootPath)
        var question = BusCall(
            "GetChildren", of: Self.accessible, at: registry.path, destination: registry.bus)
        question.extract = .references(limits.objects)
        let reply = try connection.call(question, until: deadline)
        let roots = Self.references(reply).filter { !$0.isNull }
        let unknown = roots.map(\.bus).filter { pids[$0] == nil }
        let replies = try connection.calls(
            unknown.map { .bus("GetConnectionUnixProcessID", [.string($0)]) }, until: deadline)
        for (bus, reply) in zip(unknown, replies) {
            pids[bus] = reply.value?.integer.flatMap { Int32(exactly: $0) }
        }
        return roots.map { AccessibleApplication(root: Accessible($0, parent: nil), pid: pids[$0.bus]) }
    }

    /// Reads the toolkits of programs.
    package func readToolkits(of applications: [AccessibleApplication], until deadline: Double) throws(BusError) {
        let unknown = applications.filter { toolkits[$0.bus] == nil }
        let replies = try connection.calls(
            unknown.map { property("ToolkitName", of: "org.a11y.atspi.Application", $0.root) }, until: deadline)
        for (application, reply) in zip(unknown, replies) {
            if let name = reply.value?.string { toolkits[application.bus] = name }
        }
        for application in applications { application.toolkit = toolkits[application.bus] ?? "" }
    }

    /// Reads the names and windows of programs, without the widgets in them.
    package func readToplevels(of applications: [AccessibleApplication], until deadline: Double) throws(BusError) {
        try readToolkits(of: applications, until: deadline)
        try read(applications, depth: 2, until: deadline)
    }

    /// Reads the trees of programs anew.
    package func readTrees(of applications: [AccessibleApplication], until deadline: Double) throws(BusError) {
        try read(applications, depth: limits.depth, until: deadline)
        try readLabels(of: applications, until: deadline)
        try nameByDescription(applications, until: deadline)
    }

    // MARK: Calls

    /// A call whose answer counts for the object's own program.
    func call(
        _ member: String, of interface: String = accessible, _ object: Accessible,
        _ arguments: [BusCall.Argument] = [], _ extract: BusCall.Extract = .one
    ) -> BusCall {
        let id = object.id
        var call = BusCall(member, of: interface, at: id.path, destination: id.bus, arguments)
        (call.payer, call.extract) = (object.program, extract)
        return call
    }

    func property(_ name: String, of interface: String = accessible, _ object: Accessible) -> BusCall {
        var call = BusCall.property(name, of: interface, at: object.id.path, destination: object.id.bus)
        call.payer = object.program
        return call
    }

    /// An array of objects, or none.
    static func references(_ reply: BusReply) -> [Accessible.ID] {
        reply.value?.list?.compactMap(reference) ?? []
    }

    /// One object.
    static func reference(_ value: BusValue) -> Accessible.ID? {
        guard let parts = value.list, parts.count == 2, let bus = parts[0].string, let path = parts[1].string else {
            return nil
        }
        return Accessible.ID(bus: bus, path: path)
    }
}
