// XKB's data: rules, layouts, symbols.

import MullionSystem

enum XKBData {
    /// A copy that is installed with this program, for systems without xkb-data; nil for a program in its build folder.
    static let folder = ExecutableFile.dataFolder.map { $0 + "/xkb" }
}
