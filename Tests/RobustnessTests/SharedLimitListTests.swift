// Every limit is that of one connection or of one user, or is shared by all users with a share of each and a reserve.

import EventLoop
import FoundationEssentials
import MullionSystem
import MullionWayland
import Testing

@testable import ControlAPI

@Suite struct SharedLimitListTests {
    private static let package = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    /// Limits of the server that have no share, and why not.
    private static let unshared = ["touches": "whoever may begin touches may end those of others"]

    /// The names of limits in mullion.json5(5), by the line that introduces their list.
    private static func manual() throws -> [String: Set<String>] {
        let page = try String(contentsOfFile: package + "/Config/man/mullion.json5.5", encoding: .utf8)
        var (lists, introduction) = ([String: Set<String>](), "")
        for line in page.split(separator: "\n") {
            if line.hasPrefix("For ") { introduction = String(line) }
            if line.hasPrefix(".Sh") { introduction = "" }
            if line.hasPrefix(".It Sy "), !introduction.isEmpty {
                lists[introduction, default: []].insert(String(line.dropFirst(7)))
            }
        }
        return lists
    }

    private func check(_ limit: SharedLimit, _ name: String) {
        #expect(limit.share > 0 && limit.reserve > 0 && limit.share + limit.reserve <= limit.total, "\(name)")
        #expect(limit.trustsOwner, "\(name)")
    }

    @Test("every limit of the configuration is documented as that of a connection or of a user, or is shared")
    func configuration() throws {
        let lists = try Self.manual()
        let ofOne = (lists["For one connection:"] ?? []).union(lists["For all connections of one user together:"] ?? [])
        let ofAll = lists["For the server:"] ?? []
        #expect(!ofOne.isEmpty && !ofAll.isEmpty, "\(lists.keys)")
        for child in Mirror(reflecting: Limits()).children {
            let name = child.label ?? ""
            if let limit = child.value as? SharedLimit {
                check(limit, name)
                #expect(ofAll.contains(name) || name == "allDescriptors", "\(name)")
                #expect(!ofOne.contains(name), "\(name)")
            } else if Self.unshared[name] != nil {
                #expect(ofAll.contains(name), "\(name)")
            } else {
                #expect(ofOne.contains(name), "\(name) is a limit of the server: make it a SharedLimit")
            }
        }
    }

    @Test("every limit of the control API is shared")
    func control() {
        for child in Mirror(reflecting: ControlLimits()).children {
            let limit = child.value as? SharedLimit
            #expect(limit != nil, "\(child.label ?? "")")
            if let limit { check(limit, child.label ?? "") }
        }
        // What one request or connection may have.
        let ofOne: Set = ["headerBytes", "bodyBytes", "chunkedBytes", "timeout", "requestTime", "strangers"]
        for child in Mirror(reflecting: HTTPServer.Limits()).children {
            #expect(child.value is SharedLimit || ofOne.contains(child.label ?? ""), "\(child.label ?? "")")
        }
    }

    /// The refusals that are not made by `SharedLimit`: of one connection, one user, or one object, and those in
    /// `unshared`.
    private static let refusals: [String: Int] = [
        "DisplayServer/Capture/ImageCopyFrame.swift": 1, "DisplayServer/Capture/ImageCopyManager.swift": 1,
        "DisplayServer/Capture/ScreencopyResources.swift": 2, "DisplayServer/Clients/Client.swift": 2,
        "DisplayServer/Clients/MemoryAccount.swift": 2, "DisplayServer/Policy/DisplayServer+Admission.swift": 2,
        "DisplayServer/Policy/SecurityContextResources.swift": 1, "DisplayServer/Selection/OfferedTypes.swift": 1,
        "DisplayServer/SharedMemory/ShmResource.swift": 2,
        "DisplayServer/Surfaces/CommitQueue/SurfaceResource+Queue.swift": 1,
        "DisplayServer/Surfaces/CompositorResource.swift": 2,
        "DisplayServer/Surfaces/RegionResource.swift": 2, "DisplayServer/Surfaces/SurfaceResource+Children.swift": 1,
        "DisplayServer/Surfaces/SurfaceResource.swift": 1, "DisplayServer/TextInput/TextInputState.swift": 1,
        "DisplayServer/ToplevelIcons/ToplevelIconResources.swift": 1,
        "DisplayServer/WindowProtocol/ApplicationResource.swift": 1,
        "DisplayServer/WindowProtocol/WindowResource.swift": 1, "DisplayServer/XDGShell/XdgSurfaceResource.swift": 2,
        // The connections that are not identified yet, and those beyond what the kernel queues.
        "EventLoop/HTTPConnections.swift": 2, "Wayland/Connection/ServerConnection.swift": 4,
        // Touches and pencils; the windows of a family.
        "WindowModel/InputState.swift": 1, "WindowModel/SeatInput+Pencils.swift": 1,
        "WindowModel/WindowModel+Stacking.swift": 1,
    ]

    @Test("a refusal because of a limit that users share is made in one place")
    func places() throws {
        var found: [String: Int] = [:]
        for module in ["DisplayServer", "ControlAPI", "EventLoop", "Wayland", "WindowModel", "Displays", "mulliond"] {
            let folder = Self.package + "/Sources/" + module
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where file.hasSuffix(".swift") {
                let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
                let count = text.split(separator: "\"limit reached", omittingEmptySubsequences: false).count - 1
                if count > 0 { found["\(module)/\(file)"] = count }
            }
        }
        for (file, count) in found {
            #expect(
                count == Self.refusals[file] ?? 0,
                "\(file): use SharedLimit.refusal for what users share, or list the limit of one of them here")
        }
        #expect(found.keys.count == Self.refusals.count, "\(Set(Self.refusals.keys).subtracting(found.keys))")
    }
}
