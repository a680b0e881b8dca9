// The files of mullionctl scenario.

import Glibc
import JSON5
import MullionControl
import MullionSystem

/// A scenario that the command line means.
struct SelectedScenario {
    let path: String
    /// Different for each: the file's name without extension, after those of its folders where others have the same.
    let name: String
    /// Whether it uses the running server, which has only one scenario at a time.
    let isOnRunningServer: Bool
    /// The variables of the command line that it has, as NAME=VALUE.
    var settings: [String] = []
}

/// Finds the scenarios that the command line means.
struct ScenarioSelection {
    private static let extensions = [".json5", ".json"]

    /// The paths, each once: of a folder in their order, without hidden files and folders.
    private(set) var paths: [String] = []
    /// Those that only a folder means.
    private var found: Set<String> = []
    private var seen: Set<String> = []
    /// The folders that were looked into.
    private var visited: Set<String> = []

    /// - Throws: if a file is missing or has a name that cannot be used, or a folder contains no scenario.
    init(_ words: [String]) throws(CommandError) {
        for word in words {
            guard !StandardInput.names.contains(word) else {
                add(StandardInput.path)
                continue
            }
            guard let kind = Self.kind(word) else {
                throw .refused("\(word): \(errno == ENOENT ? "the file does not exist" : Terminal.reason)")
            }
            guard kind == S_IFDIR else {
                add(word)
                continue
            }
            visited = []
            let all = try scenarios(in: word.hasSuffix("/") && word.count > 1 ? String(word.dropLast()) : word)
            guard !all.isEmpty else {
                throw .usage("\(word) contains no scenario; name a folder with files that end in .json5 or .json")
            }
            for path in all.sorted() where add(path) { found.insert(path) }
        }
    }

    static func isFolder(_ path: String) -> Bool { kind(path) == S_IFDIR }

    private static func kind(_ path: String) -> mode_t? {
        var file = stat()
        return unsafe stat(path, &file) == 0 ? file.st_mode & S_IFMT : nil
    }

    @discardableResult
    private mutating func add(_ path: String) -> Bool {
        guard seen.insert(FilePath.absolute(path)).inserted else {
            found.remove(path)
            return false
        }
        paths.append(path)
        return true
    }

    private mutating func scenarios(in folder: String) throws(CommandError) -> [String] {
        guard let names = MullionSystem.Folder.names(in: folder) else {
            throw .refused("\(folder): \(Terminal.reason)")
        }
        // A link may lead back to a folder above.
        guard let real = unsafe realpath(folder, nil) else { return [] }
        defer { unsafe free(real) }
        guard unsafe visited.insert(String(cString: real)).inserted else { return [] }
        var paths: [String] = []
        for name in names where !name.hasPrefix(".") {
            let path = folder == "/" ? "/" + name : "\(folder)/\(name)"
            let isScenario = Self.extensions.contains { name.hasSuffix($0) }
            switch Self.kind(path) {
            case S_IFDIR: paths += try scenarios(in: path)
            case S_IFREG where isScenario: paths.append(path)
            // A test must not be skipped in silence. Bytes of names that are not UTF-8 were replaced.
            case nil where name.unicodeScalars.contains("\u{fffd}"):
                throw .refused("\(path) cannot be opened: its name is not UTF-8; rename it")
            case nil where isScenario: throw .refused("\(path): \(Terminal.reason)")
            default: break
            }
        }
        return paths
    }

    // MARK: Contents

    /// The scenarios, without the files in folders that are only parts of others: they have no name and are included.
    /// - Parameters:
    ///   - isOnRunningServer: whether all are, even those that describe a server.
    ///   - hasServers: whether otherwise each has a private one, even those that describe none.
    ///   - settings: variables of the command line.
    /// - Throws: if none of the scenarios has one of the variables.
    func scenarios(
        onRunningServer isOnRunningServer: Bool, hasServers: Bool, settings: [String]
    ) throws(CommandError) -> [SelectedScenario] {
        let contents = paths.map { path in
            (try? ScenarioSource.load(path, isIncluded: false)).flatMap { try? JSON5Document($0).decode(JSON.self) }
        }
        var parts: Set<String> = []
        for (path, value) in zip(paths, contents) {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            for file in value.map(Self.included) ?? [] {
                parts.insert(FilePath.absolute(file.hasPrefix("/") ? file : folder + file))
            }
        }
        let chosen = zip(paths, contents).filter { path, value in
            !(found.contains(path) && value?["name"] == .null && parts.contains(FilePath.absolute(path)))
        }
        // A file with mistakes is reported later; it may have any variable.
        let readable = chosen.compactMap(\.1)
        if readable.count == chosen.count {
            try ScenarioVariables.check(
                settings, readable, of: chosen.count == 1 ? chosen[0].0 : "any of the scenarios")
        }
        return zip(chosen, Self.names(chosen.map(\.0))).map { scenario, name in
            // A file with mistakes uses none.
            let isWithoutOwn = !hasServers && scenario.1?["server"] == .null
            return SelectedScenario(
                path: scenario.0, name: name, isOnRunningServer: isOnRunningServer || isWithoutOwn,
                settings: settings.filter { word in
                    scenario.1.map { ScenarioVariables.has(Values.pair(word).key, in: $0) } ?? false
                })
        }
    }

    /// The files that a scenario's steps include.
    private static func included(_ value: JSON) -> [String] {
        switch value {
        case .array(let values): return values.flatMap(included)
        case .object(let members):
            let file = members["include"].flatMap { $0["file"].or($0).string }
            return (file.map { [$0] } ?? []) + members.values.flatMap(included)
        default: return []
        }
    }

    /// A name for each path, none twice.
    static func names(_ paths: [String]) -> [String] {
        let files = paths.map { path in FilePath.absolute(path).split(separator: "/").map(String.init) }
        func stem(_ file: [String]) -> String { file.last?.split(separator: ".").first.map(String.init) ?? "scenario" }
        let stems = files.map { file in
            let isAmbiguous = files.count { $0.dropLast() == file.dropLast() && stem($0) == stem(file) } > 1
            return isAmbiguous ? file.last ?? "" : stem(file)
        }
        var depths = files.map { _ in 0 }
        func name(_ index: Int) -> String {
            (files[index].dropLast().suffix(depths[index]) + [stems[index]]).joined(separator: "-")
        }
        while true {
            let names = files.indices.map(name)
            let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
            let ambiguous = files.indices.filter { counts[names[$0]] != 1 && depths[$0] < files[$0].count - 1 }
            guard ambiguous.isEmpty else {
                for index in ambiguous { depths[index] += 1 }
                continue
            }
            var taken: Set<String> = []
            return names.enumerated().map { index, name in
                let isFree = taken.insert(name).inserted
                return isFree ? name : "\(name)-\(index + 1)"
            }
        }
    }
}
