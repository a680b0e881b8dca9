// The monitor library: finds display models.

import JSON5
import MullionSystem
import WindowModel

/// Finds display models by name. Files are read when a model that is not built in is first requested.
public final class DisplayLibrary {
    /// Folders of `*.json5` files, each with one model; earlier ones win.
    public lazy var folders = DisplayLibrary.standardFolders
    /// Models from the configuration; they take precedence over files.
    public var own: [DisplayModel] = []
    /// Called with a message for each unusable file.
    public var onWarning: (String) -> Void = { _ in }
    private var files: [DisplayModel]?

    public init() {}

    /// /etc, PREFIX/share for a program installed in PREFIX/bin, /usr/local and /usr; for a program in its build
    /// folder, first the package's own folder.
    public static var standardFolders: [String] {
        var folders = ["/etc/mullion/displays", "/usr/local/share/mullion/displays", "/usr/share/mullion/displays"]
        if let data = ExecutableFile.dataFolder {
            let own = data + "/displays"
            folders.removeAll { $0 == own }
            folders.insert(own, at: 1)
        }
        let program = ExecutableFile.path
        if let build = program.firstPlace(of: "/.build/") {
            folders.insert(String(program[..<build.lowerBound]) + "/Config/displays", at: 0)
        }
        return folders
    }

    /// Every model, by name.
    public var models: [DisplayModel] {
        var seen: Set<String> = []
        return (own + loaded()).filter { seen.insert($0.name).inserted }.sorted { $0.name < $1.name }
    }

    /// The model of that name; "1920x1080@60" means a plain display with just that mode.
    public func model(named name: String) throws(ModelError) -> DisplayModel {
        if let found = own.first(where: { $0.name == name }) { return found }
        if let mode = try? Screen.Mode(parsing: name) {
            return DisplayModel(name: name, vendor: "Mullion", model: name, modes: [mode])
        }
        if let found = loaded().first(where: { $0.name == name }) { return found }
        let known = models.map(\.name).joined(separator: ", ")
        throw ModelError(
            kind: .invalidValue, rule: .s1,
            message: "\"\(name)\" is not a display model; use WIDTHxHEIGHT[@HERTZ] or one of \(known)")
    }

    private func loaded() -> [DisplayModel] {
        if let files { return files }
        var result: [DisplayModel] = []
        for folder in folders {
            let names = Folder.names(in: folder) ?? []
            for file in names.sorted() where file.hasSuffix(".json5") {
                do {
                    result.append(try JSON5.decode(DisplayModel.self, fromFile: folder + "/" + file))
                } catch {
                    onWarning("\(error)")
                }
            }
        }
        files = result
        return result
    }
}
