// The golden pictures that the commands of a run have written.

import MullionControl
import MullionSystem

/// Keeps comparisons of one run from writing different pictures to the same file.
enum WrittenGoldens {
    /// The variable with the folder of marks, which `run` sets.
    static let variable = "MULLION_GOLDENS"

    /// Saves a picture.
    /// - Throws: if the file has another picture that was written in this run.
    static func save(_ picture: [UInt8], as file: String) throws(CommandError) {
        guard let mark = mark(of: file) else { return try Picture.save(picture, as: file) }
        if let earlier = try? Picture.load(mark, isRegular: true), earlier != picture,
            let present = try? Picture.load(file, isRegular: true), present == earlier
        {
            throw .refused(
                "\(file) was written in this run, with another picture, which would be lost; use another name for one of "
                    + "them, or remove the file first")
        }
        try Picture.save(picture, as: file)
        // The picture matters more than the mark.
        try? Picture.save(picture, as: mark)
    }

    /// Nil outside of a run, and for standard output.
    private static func mark(of file: String) -> String? {
        guard file != "-", let folder = Terminal.variable(variable) else { return nil }
        let path = FilePath.real(file)
        return "\(folder)/\(RunNote.hash(path)).png"
    }
}
