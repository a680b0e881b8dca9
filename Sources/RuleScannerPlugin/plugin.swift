// Runs RuleScanner over WindowModel.docc before a target that cites or prints the rules is compiled.

import Foundation
import PackagePlugin

@main
struct RuleScannerPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let catalog = context.package.directoryURL.appending(path: "Sources/WindowModel/WindowModel.docc")
        let pages = try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        // The command-line tool prints rules; other targets cite them.
        let kind = target.name == "mullionctl" ? "texts" : "names"
        let output = context.pluginWorkDirectoryURL.appending(path: "Rule.swift")
        return [
            .buildCommand(
                displayName: "Generating the rules", executable: try context.tool(named: "RuleScanner").url,
                arguments: [kind, catalog.path, output.path], inputFiles: pages, outputFiles: [output])
        ]
    }
}
