// Runs WaylandScanner on the installed protocol descriptions and our own before the target is compiled.

import Foundation
import PackagePlugin

@main
struct WaylandScannerPlugin: BuildToolPlugin {
    /// The directories where Debian's libwayland-dev and wayland-protocols, and a local installation, install their
    /// files.
    private static let roots = ["/usr/local/share", "/usr/share"]
    private static let installed = [
        "wayland/wayland.xml",
        "wayland-protocols/stable/viewporter/viewporter.xml",
        "wayland-protocols/staging/fractional-scale/fractional-scale-v1.xml",
        "wayland-protocols/staging/single-pixel-buffer/single-pixel-buffer-v1.xml",
        "wayland-protocols/staging/content-type/content-type-v1.xml",
        "wayland-protocols/staging/tearing-control/tearing-control-v1.xml",
        "wayland-protocols/unstable/xdg-output/xdg-output-unstable-v1.xml",
        "wayland-protocols/unstable/tablet/tablet-unstable-v2.xml",
        "wayland-protocols/unstable/text-input/text-input-unstable-v1.xml",
        "wayland-protocols/unstable/text-input/text-input-unstable-v3.xml",
        "wayland-protocols/unstable/primary-selection/primary-selection-unstable-v1.xml",
        "wayland-protocols/unstable/relative-pointer/relative-pointer-unstable-v1.xml",
        "wayland-protocols/unstable/pointer-constraints/pointer-constraints-unstable-v1.xml",
        "wayland-protocols/unstable/pointer-gestures/pointer-gestures-unstable-v1.xml",
        "wayland-protocols/unstable/xdg-decoration/xdg-decoration-unstable-v1.xml",
        "wayland-protocols/unstable/idle-inhibit/idle-inhibit-unstable-v1.xml",
        "wayland-protocols/staging/xdg-activation/xdg-activation-v1.xml",
        "wayland-protocols/unstable/xdg-foreign/xdg-foreign-unstable-v2.xml",
        "wayland-protocols/unstable/xdg-foreign/xdg-foreign-unstable-v1.xml",
        "wayland-protocols/unstable/keyboard-shortcuts-inhibit/keyboard-shortcuts-inhibit-unstable-v1.xml",
        "wayland-protocols/staging/xwayland-shell/xwayland-shell-v1.xml",
        "wayland-protocols/staging/ext-session-lock/ext-session-lock-v1.xml",
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Protocols")
        let own = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
        let system = try Self.installed.map { name in
            let candidates = Self.roots.map { URL(fileURLWithPath: "\($0)/\(name)") }
            guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
                Diagnostics.error("\(name) is in none of \(Self.roots): install libwayland-dev and wayland-protocols")
                throw CocoaError(.fileNoSuchFile)
            }
            return found
        }
        let list = folder.appending(path: "interfaces.txt")
        let output = context.pluginWorkDirectoryURL.appending(path: "Protocols.swift")
        let tool = try context.tool(named: "WaylandScanner")
        return [
            .buildCommand(
                displayName: "Generating protocol bindings", executable: tool.url,
                // Ours come first: the first description of an interface wins, and some of Debian's are old.
                arguments: [list.path, output.path] + (own + system).map(\.path),
                inputFiles: [list] + own + system, outputFiles: [output])
        ]
    }
}
