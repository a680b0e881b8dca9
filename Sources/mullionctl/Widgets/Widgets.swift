// Reads the widgets of the programs in a server.

import Accessibility
import MullionClient
import MullionControl
import MullionSystem
import MullionWayland

/// The accessibility bus and a server, whose windows are joined.
final class Widgets {
    private let client: ControlClient
    private let bus: AccessibilityBus
    /// What people should know about the last reading, such as programs that do not answer.
    private(set) var remarks: [String] = []
    /// The visible windows of programs that were not on the bus at the last reading.
    private(set) var absent: [WindowPlace] = []
    /// The windows whose widgets the last reading may lack, because a program or the bus did not answer in time.
    private var lacking: [WindowPlace] = []
    /// Whether the last reading was cut because its time was up.
    var isCut: Bool { bus.isCut }

    /// - Parameter deadline: a time of `MonotonicClock.seconds`.
    init(_ client: ControlClient, until deadline: Double) throws(CommandError) {
        self.client = client
        do throws(BusError) {
            bus = try AccessibilityBus(variable: { Terminal.variable($0) }, until: deadline)
        } catch {
            guard RunEnvironment.lacksAccessibility, error.isAbsence else { throw .refused("\(error)") }
            throw .refused("this run has no accessibility bus; use mullionctl run --accessibility")
        }
    }

    /// Reads the trees of all windows.
    /// - Parameters:
    ///   - window: only this one's.
    ///   - isWanted: whose places, values and texts are read; nil: everyone's.
    ///   - deadline: a time of `MonotonicClock.seconds`.
    ///   - concerns: whose programs are read first: the others may be slow.
    func roots(
        window: Int? = nil, until deadline: Double, concerns: (WindowPlace) -> Bool = { _ in true },
        isWanted: ((Accessible) -> Bool)? = nil
    ) throws(CommandError) -> [Widget] {
        let windows = try WindowPlace.all(client)
        do throws(BusError) {
            return try roots(windows, window: window, until: deadline, concerns: concerns, isWanted: isWanted)
        } catch {
            throw .refused("\(error)")
        }
    }

    private func roots(
        _ windows: [WindowPlace], window: Int?, until deadline: Double, concerns: (WindowPlace) -> Bool,
        isWanted: ((Accessible) -> Bool)?
    ) throws(BusError) -> [Widget] {
        (remarks, absent) = ([], [])
        var programs = try programs(windows, until: deadline)
        if let window = windows.first(where: { $0.id == window }) {
            programs.removeAll { !$0.windows.contains { $0.id == window.id } }
        }
        var roots: [Widget] = []
        // The windows that are described, and those of them of which nothing is missing.
        var (joined, complete): (Set<Int>, Set<Int>) = ([], [])
        for isConcerned in [true, false] {
            let group = programs.filter { $0.windows.contains(where: concerns) == isConcerned }
            try bus.readTrees(of: group.map(\.application), until: deadline)
            for program in group {
                let found = try join(program, until: deadline, isWanted: isWanted)
                remark(program.application, of: program.windows)
                let ids = found.compactMap { $0.window?.id }
                joined.formUnion(ids)
                if !program.application.isBehind { complete.formUnion(ids) }
                roots += found
            }
        }
        let behind = programs.filter(\.application.isBehind)
        lacking = (bus.lacksPrograms ? windows : behind.flatMap(\.windows)).filter {
            (window ?? $0.id) == $0.id && !complete.contains($0.id)
        }
        if bus.lacksPrograms { remarks.append("the accessibility bus did not say in time which programs it has") }
        // Not all windows of X11 programs are described.
        let known = behind.compactMap(\.application.pid) + roots.compactMap { $0.window?.pid }
        for place in windows where place.isVisible && (window ?? place.id) == place.id {
            // A scenario's own windows have no process.
            guard !joined.contains(place.id), !known.contains(place.pid), place.pid != 0 else { continue }
            absent.append(place)
            // It may belong to a program that does not answer.
            guard !lacking.contains(where: { $0.id == place.id }) else { continue }
            remarks.append(
                "\(place.text) of \(place.applicationName) (process \(place.pid)) is not on the accessibility bus")
        }
        return window == nil ? roots : roots.filter { $0.window?.id == window }
    }

    /// The programs that have windows, each with those that may be its own.
    private func programs(
        _ windows: [WindowPlace], until deadline: Double
    ) throws(BusError) -> [(application: AccessibleApplication, windows: [WindowPlace])] {
        let all = try bus.applications(until: deadline)
        let pids = Set(all.compactMap(\.pid))
        // Windows of sandboxed and of X11 programs have another process; they are recognised by their title.
        let foreign = windows.filter { !pids.contains($0.pid) }
        var own: [AccessibleApplication] = []
        var others: [AccessibleApplication] = []
        for application in all {
            let isOwn = windows.contains { $0.pid == application.pid }
            if isOwn { own.append(application) } else { others.append(application) }
        }
        if foreign.isEmpty { others = [] }
        try bus.readToplevels(of: others, until: deadline)
        // Those that have not described their windows may have any of these.
        others.removeAll { other in
            !other.isBehind
                && !other.toplevels.contains { toplevel in
                    !toplevel.name.isEmpty && foreign.contains { $0.title == toplevel.name }
                }
        }
        try bus.readToolkits(of: own, until: deadline)
        return own.map { application in (application, windows.filter { $0.pid == application.pid }) }
            + others.map { ($0, foreign) }
    }

    private func join(
        _ program: (application: AccessibleApplication, windows: [WindowPlace]), until deadline: Double,
        isWanted: ((Accessible) -> Bool)?
    ) throws(BusError) -> [Widget] {
        let application = program.application
        let toplevels = application.toplevels
        // Only programs with surfaces beside their windows have places that differ.
        let inWindows = application.toolkit == "gtk" && program.windows.contains { $0.surfaces.count > 1 }
        let all = toplevels.flatMap(\.all)
        try bus.readDetails(
            of: isWanted.map { all.filter($0) } ?? all, application, inWindows: inWindows, until: deadline)
        if isWanted != nil {
            // The places of what may clip them.
            var around = toplevels.filter { $0.details == nil }
            var known = Set(around.map(\.id) + [application.root.id])
            for object in all where object.details != nil {
                around += object.ancestors.filter { $0.details == nil && known.insert($0.id).inserted }
            }
            try bus.readDetails(of: around, application, inWindows: inWindows, onlyPlaces: true, until: deadline)
        }
        let joins = WidgetJoin.joins(toplevels, program.windows)
        return zip(toplevels, joins).map { WidgetPlacement(application, $0, $1).tree($0) }
    }

    private func remark(_ application: AccessibleApplication, of windows: [WindowPlace]) {
        // One that is silent has not said its name, and other processes' windows need not be its own.
        let names = [application.name] + windows.filter { $0.pid == application.pid }.map(\.applicationName)
        let name = names.first { !$0.isEmpty } ?? "a program"
        let who = name.printable() + (application.pid.map { " (process \($0))" } ?? "")
        for shortage in application.shortages {
            switch shortage {
            case .silent: remarks.append("\(who) does not answer on the accessibility bus")
            case .late: remarks.append("\(who) had not described all of its widgets when the time was up")
            case .tooMany(let count): remarks.append("\(who) has more than \(count) widgets; the others are left out")
            case .tooDeep(let count): remarks.append("\(who) nests more than \(count) widgets; those are left out")
            case .tooManyCells(let count):
                remarks.append("\(who) has a table with more than \(count) cells; the others are left out")
            case .tooLarge(let bytes):
                remarks.append("\(who) describes its widgets in more than \(bytes >> 20) MiB; the rest is left out")
            }
        }
    }

    /// Whether the last reading may have left out some of the widgets that are meant.
    func mayLack(_ query: WidgetQuery) -> Bool { lacking.contains { query.concerns($0) } }

    /// Whether a program with such widgets may just have started: its windows come before it is on the bus.
    /// - Parameter seconds: how long it may take for that.
    func isStarting(_ query: WidgetQuery, within seconds: Double) -> Bool {
        absent.contains { query.concerns($0) && ProcessTree.age(of: $0.pid).map { $0 < seconds } == true }
    }

    // MARK: Questions

    /// Asks a widget's program which object is in front at a point of its window, in the window's points.
    /// - Returns: nil when it does not say, or the widget has no place.
    func object(at point: Point, in widget: Widget, until deadline: Double) throws(CommandError) -> Accessible.ID? {
        guard let frame = widget.frame, let extents = widget.accessible.details?.onScreen,
            let toplevel = widget.ancestors.last
        else { return nil }
        let scale = Double(extents.width) / frame.width
        // Programs may claim to be anywhere.
        guard let x = Int32(exactly: (Double(extents.x) + (point.x - frame.minX) * scale).rounded(.towardZero)),
            let y = Int32(exactly: (Double(extents.y) + (point.y - frame.minY) * scale).rounded(.towardZero))
        else { return nil }
        do throws(BusError) {
            return try bus.object(atX: x, y: y, in: toplevel.accessible, widget.application, until: deadline)
        } catch {
            throw .refused("\(error)")
        }
    }

    /// Asks a widget's program to scroll it into view.
    /// - Returns: whether the program says that it does.
    func scroll(to widget: Widget, until deadline: Double) throws(CommandError) -> Bool {
        do throws(BusError) {
            return try bus.scroll(to: widget.accessible, until: deadline)
        } catch {
            throw .refused("\(error)")
        }
    }
}
