// An X server that has almost what it may have, because of one of its programs.

import MullionSystem
import MullionWayland
import X11

/// Finds the program that has most, and ends it: otherwise the X server would reach its limits, and nobody could show
/// anything.
final class CrowdedServer {
    typealias Resource = MullionX11ServerV1.Resource

    /// What a program has, with one connection or several.
    private struct Share {
        var process: Int32?
        var clients: [UInt32] = []
        var amount = 0
    }

    private let manager: WindowManager
    private var isAsking = false

    private var x: XConnection { manager.x }

    init(_ manager: WindowManager) { self.manager = manager }

    /// - Parameter limit: how much of it there may be; 0: unknown.
    func relieve(_ resource: Resource, limit: Int) {
        // It is asked for again if that does not help.
        guard !isAsking else { return }
        isAsking = true
        // Others need the rest of what there may be.
        manager.holdNewWindows()
        x.clients { [weak self] clients in
            guard let self else { return }
            let own = manager.setup.resourceBase
            measure(clients.filter { $0 != own && $0 != 0 }, resource, limit)
        }
    }

    private func measure(_ clients: [UInt32], _ resource: Resource, _ limit: Int) {
        var amounts: [UInt32: Int] = [:]
        var processes: [UInt32: Int32] = [:]
        for window in manager.windows.values {
            let amount = resource == .memory ? window.frame.width * window.frame.height * 4 : 1
            amounts[manager.setup.client(of: window.id), default: 0] += amount
        }
        for client in clients {
            x.process(of: XWindowID(rawValue: client)) { processes[client] = $0 }
            switch resource {
            case .buffers: x.pixmapCount(of: client) { amounts[client, default: 0] += $0 }
            case .memory: x.pixmapBytes(of: client) { amounts[client, default: 0] += $0 }
            default: break
            }
        }
        // Answers come in the order of the requests.
        x.afterRequests { [weak self] in
            var shares: [Int64: Share] = [:]
            for client in clients {
                let process = processes[client]
                var share = shares[process.map(Int64.init) ?? -Int64(client)] ?? Share(process: process)
                share.clients.append(client)
                share.amount += resource == .memory ? (amounts[client] ?? 0) >> 20 : amounts[client] ?? 0
                shares[process.map(Int64.init) ?? -Int64(client)] = share
            }
            self?.end(shares.values.max { $0.amount < $1.amount }, resource, limit)
        }
    }

    private func end(_ largest: Share?, _ resource: Resource, _ limit: Int) {
        isAsking = false
        defer { manager.releaseNewWindows() }
        // Many programs with a little each are no reason to end one of them.
        guard let largest, largest.amount > 0, largest.amount >= limit / 4 else { return }
        let what =
            switch resource {
            case .windows: "windows"
            case .memory: "MiB of windows and pixmaps"
            default: "windows and pixmaps"
            }
        let name = largest.process.map { "\(ProcessName.of($0).printable()) (pid \($0))" } ?? "an X11 program"
        Log.write(
            "\(name) is ended: it has \(largest.amount) \(what), most of what the server allows all X11 programs together"
        )
        for client in largest.clients {
            manager.dropNewWindows(of: client)
            x.kill(client: client)
        }
    }
}
