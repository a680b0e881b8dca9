// The processes that were started by this one, and by those, and so on.

import Glibc
import MullionSystem

/// The descendants of this process, which must be the parent of orphans among them.
struct ProcessTree {
    /// Not part of it, with their descendants.
    private let excluded: Set<pid_t>

    init(without excluded: [pid_t] = []) { self.excluded = Set(excluded) }

    /// All processes of the tree, parents first, and the names they have.
    var processes: [(id: pid_t, name: String)] {
        let children = Self.children
        var found: [(id: pid_t, name: String)] = []
        var parents = [getpid()]
        while let parent = parents.popLast() {
            for child in children[parent] ?? [] where !excluded.contains(child.id) {
                if !child.isZombie { found.append((child.id, child.name)) }
                parents.append(child.id)
            }
        }
        return found
    }

    /// The processes as lines for people: their command lines, shortened, and ids.
    var text: String {
        processes.map { "  \(CommandLineText.of($0.id) ?? $0.name) (\($0.id))\n" }.joined()
    }

    private typealias Child = (id: pid_t, name: String, isZombie: Bool)

    /// All processes that can be seen, by parent.
    private static var children: [pid_t: [Child]] {
        var lastOrphans: Set<pid_t> = []
        while true {
            var children: [pid_t: [Child]] = [:]
            var seen: Set<pid_t> = []
            for entry in MullionSystem.Folder.names(in: "/proc") ?? [] {
                guard let id = pid_t(entry), let (name, parent, isZombie) = status(of: id) else { continue }
                children[parent, default: []].append((id, name, isZombie))
                seen.insert(id)
            }
            // A parent that ended meanwhile has left its children to another one. Parents of other users may be invisible.
            let orphans = Set(children.lazy.filter { $0.key != 0 && !seen.contains($0.key) }.flatMap(\.value).map(\.id))
            if orphans.isSubset(of: lastOrphans) { return children }
            lastOrphans = orphans
        }
    }

    /// Whether a D-Bus daemon has started a process, whose bus has its socket in this folder.
    static func isService(_ id: pid_t, ofBusIn folder: String) -> Bool {
        let variables = (try? DescriptorIO.contents(ofFile: "/proc/\(id)/environ")) ?? []
        return variables.split(separator: 0).contains { variable in
            String(decoding: variable, as: UTF8.self).hasPrefix("DBUS_STARTER_ADDRESS=unix:path=\(folder)/")
        }
    }

    /// A zombie with threads goes on.
    private static func status(of id: pid_t) -> (name: String, parent: pid_t, isZombie: Bool)? {
        guard let (name, rest) = fields(of: id), rest.count > 17, let parent = pid_t(rest[1]),
            let threads = Int(rest[17])
        else { return nil }
        return (name, parent, rest[0] == "Z" && threads < 2)
    }

    /// How long a process has been running, in seconds; nil when it has ended.
    static func age(of id: pid_t) -> Double? {
        guard let rest = fields(of: id)?.rest, rest.count > 19, let ticks = Double(rest[19]) else { return nil }
        var now = timespec()
        unsafe clock_gettime(CLOCK_BOOTTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The processor time that a process has used, in clock ticks; nil when it has ended.
    static func work(of id: pid_t) -> Int? {
        guard let rest = fields(of: id)?.rest, rest.count > 12, let user = Int(rest[11]), let system = Int(rest[12])
        else { return nil }
        return user &+ system
    }

    /// "PID (NAME) STATE PPID …", where the name may contain anything.
    private static func fields(of id: pid_t) -> (name: String, rest: [Substring])? {
        guard let data = try? DescriptorIO.contents(ofFile: "/proc/\(id)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")") else { return nil }
        return (String(text[text.index(after: start)..<end]), text[text.index(after: end)...].split(separator: " "))
    }

    /// Ends all processes of the tree, and waits for that: by SIGTERM and, after the patience, by SIGKILL.
    /// - Parameters:
    ///   - patience: in milliseconds; it may become shorter.
    ///   - reap: called when processes may have ended.
    /// - Returns: the processes that remain, because this user may not signal them.
    @discardableResult
    func end(patience: @autoclosure () -> Int, reap: () -> Void) -> [(id: pid_t, name: String)] {
        var asked: Set<pid_t> = []
        let start = ContinuousClock.now
        while true {
            reap()
            let left = processes
            guard !left.isEmpty else { return [] }
            let (time, patience) = (ContinuousClock.now - start, patience())
            if time >= .milliseconds(patience + 2000) { return left }
            for process in left {
                if time >= .milliseconds(patience) {
                    kill(process.id, SIGKILL)
                } else if asked.insert(process.id).inserted {
                    kill(process.id, SIGTERM)
                    // A stopped process would not receive it.
                    kill(process.id, SIGCONT)
                }
            }
            BlockedSignals.waitForChild(milliseconds: 10)
        }
    }
}
