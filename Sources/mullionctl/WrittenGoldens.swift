// The golden pictures that the commands of a run have written.

import FoundationEssentials

/// Keeps comparisons of one run from writing different pictures to the same file.
enum WrittenGoldens {
    /// The variable with the folder of marks, which `run` sets.
    static let variable = "MULLION_GOLDENS"

    /// Marks a file.
    /// - Throws: if another picture was written to it in this run.
    static func add(_ file: String, _ picture: [UInt8]) throws(CommandError) {
        guard let folder = Terminal.variable(variable) else { return }
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().standardizedFileURL.path
        let mark = "\(folder)/\(RunNote.hash(path)).png"
        if let earlier = try? Picture.load(mark, isRegular: true), earlier != picture {
            throw .refused(
                "\(file) was already written in this run, with another picture, which would be lost; use another name for "
                    + "one of them")
        }
        // The picture matters more than the mark.
        try? Picture.save(picture, as: mark)
    }
}
