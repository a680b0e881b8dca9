// Windows on the command line.

import MullionControl
import MullionSystem

extension ControlClient {
    /// The id of a window that a word names: by its id or, if it is the only one with that, its title.
    /// - Parameter option: where the word is, for messages.
    func windowID(_ word: String, _ option: String? = nil) throws(CommandError) -> String {
        guard DecimalText.whole(word, isSigned: true) == nil else { return word }
        let found = try send(.getWindows()).windows.filter { $0.title == word }
        guard found.count == 1 else {
            let place = option.map { "\($0): " } ?? ""
            throw .refused(
                found.isEmpty
                    ? "\(place)no window has the id or title \"\(word)\""
                    : "\(place)\(found.count) windows have the title \"\(word)\"; use an id")
        }
        return "\(found[0].id)"
    }
}
