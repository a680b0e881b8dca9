// A command's arguments, read in order, and its server.

import MullionControl

/// The context of a command.
final class Invocation {
    let line: CommandLineWords
    let client: ControlClient
    let server: ServerName
    private var left: ArraySlice<String>
    private var options: [(name: String, value: String)]
    private var flags: [String]

    init(_ line: CommandLineWords) throws(CommandError) {
        self.line = line
        server = try ServerName(line.server)
        client = ControlClient(path: line.control ?? server.control)
        left = line.words[...]
        options = line.options
        flags = line.flags
    }

    var json: Bool { line.json }
    /// Whether the command line names a server, even the default one.
    var namesServer: Bool { line.control != nil || line.server != nil }

    // MARK: Words

    /// The next word, which is required.
    func word(_ meaning: String) throws(CommandError) -> String {
        guard let word = left.popFirst() else { throw .usage("\(meaning) is missing") }
        return word
    }

    /// The next word, if there is one.
    func word() -> String? { left.popFirst() }

    /// The next word, without consuming it.
    var next: String? { left.first }

    /// All remaining words.
    func words() -> [String] {
        defer { left = [] }
        return Array(left)
    }

    /// Consumes an option and returns its values.
    func option(_ names: String...) -> [String] {
        defer { options.removeAll { names.contains($0.name) } }
        return options.filter { names.contains($0.name) }.map(\.value)
    }

    /// Consumes an option that may occur at most once.
    func single(_ name: String) throws(CommandError) -> String? {
        let values = option(name)
        guard values.count <= 1 else { throw .usage("\(name) is given twice") }
        return values.first
    }

    /// Consumes an option without a value; returns whether it was given.
    func flag(_ name: String) -> Bool {
        defer { flags.removeAll { $0 == name } }
        return flags.contains(name)
    }

    /// Checks that no arguments remain; call it before doing anything.
    func end() throws(CommandError) {
        try endOptions()
        if line.rest != nil { throw .usage("nothing is allowed after --") }
    }

    /// The same for a command whose arguments may follow `--`.
    func endOptions() throws(CommandError) {
        if let word = left.first { throw .usage("unexpected argument \"\(word)\"") }
        if let option = options.first { throw .usage("the option \(option.name) is not allowed here") }
        if let flag = flags.first { throw .usage("the option \(flag) is not allowed here") }
    }

    // MARK: Requests

    /// Sends a request and prints the response as it is, or formatted by `body`.
    func show<Answer>(
        _ request: ControlRequest<Answer>, _ body: (Answer) throws(CommandError) -> String
    ) throws(CommandError) {
        let answer = try client.answer(to: request)
        guard !json else { return Terminal.out(answer.text) }
        Terminal.out(try body(try request.value(of: answer)))
    }

    /// The same for an answer of which people read nothing.
    func show<Answer>(_ request: ControlRequest<Answer>) throws(CommandError) {
        let answer = try client.answer(to: request)
        if json { Terminal.out(answer.text) }
    }
}
