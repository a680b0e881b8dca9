// Runs ContractScanner over the description of the control API before a target that uses it is compiled.

import Foundation
import PackagePlugin

@main
struct ContractScannerPlugin: BuildToolPlugin {
    /// What each target gets.
    private static let outputs = [
        "ControlProtocol": ("types", "API.swift"), "ControlAPI": ("document", "OpenAPI.swift"),
        "MullionControl": ("client", "API+Client.swift"),
    ]

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let (kind, file) = Self.outputs[target.name] else { return [] }
        let sources = context.package.directoryURL.appending(path: "Sources")
        let catalog = sources.appending(path: "WindowModel/WindowModel.docc")
        let contract = sources.appending(path: "ControlProtocol/Contract")
        func files(in folder: URL, _ suffix: String) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == suffix }.sorted { $0.path < $1.path }
        }
        let descriptions = try files(in: contract, "contract")
        let output = context.pluginWorkDirectoryURL.appending(path: file)
        return [
            .buildCommand(
                displayName: "Generating the control API", executable: try context.tool(named: "ContractScanner").url,
                arguments: [kind, catalog.path, output.path] + descriptions.map(\.path),
                inputFiles: try files(in: catalog, "md") + descriptions, outputFiles: [output])
        ]
    }
}
