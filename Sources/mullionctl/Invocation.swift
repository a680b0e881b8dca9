// A command's words, read one after the other, and the server it talks to.

/// What a command gets to do its work.
final class Invocation {
    let line: CommandLineWords
    let client: ControlClient
    let server: ServerName
    private var left: ArraySlice<String>
    private var options: [(name: String, value: String)]
    private var flags: [String]

    init(_ line: CommandLineWords) throws(Failure) {
        self.line = line
        server = try ServerName(line.server)
        client = ControlClient(path: line.control ?? server.control)
        left = line.words[...]
        options = line.options
        flags = line.flags
    }

    var json: Bool { line.json }

    // MARK: Words

    /// The next word, which must be there.
    func word(_ meaning: String) throws(Failure) -> String {
        guard let word = left.popFirst() else { throw .usage("\(meaning) is missing") }
        return word
    }

    /// The next word, if any is left.
    func word() -> String? { left.popFirst() }

    /// The next word, which stays where it is.
    var next: String? { left.first }

    /// All that is left.
    func words() -> [String] {
        defer { left = [] }
        return Array(left)
    }

    /// Takes the values of an option out.
    func option(_ names: String...) -> [String] {
        defer { options.removeAll { names.contains($0.name) } }
        return options.filter { names.contains($0.name) }.map(\.value)
    }

    /// Takes the value of an option out that may be there once.
    func single(_ name: String) throws(Failure) -> String? {
        let values = option(name)
        guard values.count <= 1 else { throw .usage("\(name) is there twice") }
        return values.first
    }

    /// Takes an option without a value out; whether it was there.
    func flag(_ name: String) -> Bool {
        defer { flags.removeAll { $0 == name } }
        return flags.contains(name)
    }

    /// Nothing may be left: call it before anything is done.
    func end() throws(Failure) {
        if let word = left.first { throw .usage("\"\(word)\" is too much") }
        if let option = options.first { throw .usage("it takes no option \(option.name)") }
        if let flag = flags.first { throw .usage("it takes no option \(flag)") }
        if line.rest != nil { throw .usage("it takes nothing after --") }
    }

    // MARK: Talking

    /// Sends a request and prints the answer as it is, or as `body` puts it.
    func show(
        _ method: String, _ path: String, _ json: JSON? = nil, _ body: (JSON) throws(Failure) -> String
    ) throws(Failure) {
        let answer = try client.send(method, path, json)
        guard !self.json else { return Terminal.out(answer.text) }
        Terminal.out(try body(answer.text.isEmpty ? .null : try JSON(parsing: answer.text)))
    }
}
