// Reads the options of a command line.

/// Options in order, each `--name`, `--name VALUE` or `--name=VALUE`.
package struct CommandLineOptions {
    private var rest: ArraySlice<String>
    /// The option read last, as it was given.
    private var argument = ""
    /// The name of the option read last.
    private var name = ""
    /// Its value after "=", if that has not been read.
    private var inline: String?

    package init(_ arguments: [String]) { rest = arguments[...] }

    /// The name of the next option; nil at the end.
    /// - Throws: if the last option has a value that was not read.
    package mutating func next() throws(CommandLineError) -> String? {
        guard inline == nil else { throw CommandLineError(message: "\(name) takes no value") }
        guard let argument = rest.popFirst() else { return nil }
        self.argument = argument
        name = argument
        if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
            name = String(argument[..<equals])
            inline = String(argument[argument.index(after: equals)...])
        }
        return name
    }

    /// The value of the option read last.
    package mutating func value() throws(CommandLineError) -> String {
        guard let value = inline ?? rest.popFirst() else {
            throw CommandLineError(message: "\(name) needs a value")
        }
        inline = nil
        return value
    }

    /// The value of the option read last, as a file descriptor.
    package mutating func descriptor() throws(CommandLineError) -> Int32 {
        let text = try value()
        guard let number = DecimalText.whole(text, as: Int32.self) else {
            throw CommandLineError(message: "\(name) \(text) is not a descriptor; use a number of at least 0")
        }
        return number
    }

    /// The error for an option that the program does not have.
    package func unknown(to program: String) -> CommandLineError {
        CommandLineError(message: "unknown option \(argument); see \(program) --help")
    }
}

/// A mistake on the command line: exit status 2.
package struct CommandLineError: Error, CustomStringConvertible {
    package let message: String
    package var description: String { message }

    package init(message: String) { self.message = message }
}
