// Defaults of GSettings.

import Glibc
import MullionControl
import MullionSystem
import Requirements

/// Schemas of the desktop's settings with other defaults.
///
/// Programs that a test starts with a configuration folder of their own, or with settings in memory, have them too.
enum GSettingsDefaults {
    /// Where schemas and other data are looked for.
    static let dataFolders = Machine.dataFolders.joined(separator: ":")

    /// Makes a copy of the schemas with these defaults.
    /// - Parameters:
    ///   - settings: a file of the keyfile backend.
    ///   - folder: is created.
    /// - Returns: the folder for XDG_DATA_DIRS; nil: there are no such schemas, or nothing that compiles them.
    static func make(_ settings: String, in folder: String) throws(CommandError) -> String? {
        let own = folder + "/glib-2.0/schemas"
        guard let compiler = Machine.path(of: .schemaCompiler), let schema = Machine.path(of: .schemas),
            let name = schema.split(separator: "/").last
        else { return nil }
        let source = String(schema.dropLast(name.count + 1))
        // It ignores defaults of schemas that it does not find next to them.
        let names = (MullionSystem.Folder.names(in: source) ?? []).filter {
            $0 == name || $0.hasSuffix("enums.xml")
        }
        try Folder.make(own)
        for name in names {
            guard unsafe symlink("\(source)/\(name)", "\(own)/\(name)") == 0 else {
                throw .refused("\(own): \(Terminal.reason)")
            }
        }
        let override = settings.replacingAll("[org/gnome/desktop/interface]", with: "[org.gnome.desktop.interface]")
        try Picture.save(Array(override.utf8), as: own + "/mullion.gschema.override")
        let process = try? Process(ChildProcess([compiler, own]))
        return process?.ended(waiting: true) == 0 ? folder : nil
    }
}
