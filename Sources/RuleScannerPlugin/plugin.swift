// Runs RuleScanner over WindowModel.docc before a target that cites or prints the rules is compiled.

import Foundation
import PackagePlugin

@main
struct RuleScannerPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let catalog = context.package.directoryURL.appending(path: "Sources/WindowModel/WindowModel.docc")
        let pages = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        // Only the command-line tool prints rules; other targets cite them.
        let names = target.name == "mullionctl" ? ["Rule.swift", "Rule+Text.swift"] : ["Rule.swift"]
        let outputs = names.map { context.pluginWorkDirectoryURL.appending(path: $0) }
        return [
            .buildCommand(
                displayName: "Generating the rules", executable: try context.tool(named: "RuleScanner").url,
                arguments: [catalog.path] + outputs.map(\.path), inputFiles: pages, outputFiles: outputs)
        ]
    }
}
