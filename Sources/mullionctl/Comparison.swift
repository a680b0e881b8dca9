// mullionctl compare: compares a screen's picture with a golden one.

import Glibc

/// One invocation of `mullionctl compare`.
struct Comparison {
    private let call: Invocation
    private let golden: String
    private let screen: String?
    private let tolerance: Int
    private let diff: String?
    private let view: PictureView
    private let updates: Bool

    init(_ call: Invocation) throws(CommandError) {
        self.call = call
        golden = try call.word("GOLDEN.png")
        screen = call.word()
        view = PictureView(call)
        updates = call.flag("--update")
        diff = try call.single("--diff")
        let text = try call.single("--tolerance") ?? "0"
        guard let tolerance = Int(text), (0...255).contains(tolerance) else {
            throw .usage("--tolerance \(text) is not a tolerance; use 0 to 255")
        }
        self.tolerance = tolerance
        try call.end()
    }

    func run() throws(CommandError) {
        if updates { return try update() }
        guard let expected = try Picture.load(golden) else {
            let words = [golden] + (screen.map { [$0] } ?? []) + view.words
            throw .refused(
                "\(golden) does not exist; create it with mullionctl compare \(words.joined(separator: " ")) --update"
                    + " or mullionctl screenshot")
        }
        let query = "tolerance=\(tolerance)&diff=\(diff != nil)"
        let path = screen.map { "/screens/\(ControlClient.escape($0))/compare?\(query)&\(view.query)" }
        let body = ControlClient.Body(type: "image/png", bytes: expected)
        let text = try call.client.send("POST", path ?? "/compare?\(query)&\(view.joinedQuery)", body).text
        let answer = try JSON(parsing: text)
        if let diff, let picture = answer["diff"].bytes { try Picture.save(picture, as: diff) }
        Terminal.out(call.json ? text : sentence(answer))
        if !answer["equal"].isTrue { throw .status(1) }
    }

    private func update() throws(CommandError) {
        let existed = unsafe access(golden, F_OK) == 0
        try Picture.save(Picture.take(screen, view, call.client), as: golden)
        Terminal.out("\(golden) is \(existed ? "updated" : "created")\n")
    }

    private func sentence(_ answer: JSON) -> String {
        let seen = screen.map { "screen \($0)" } ?? "what all screens show"
        guard !answer["equal"].isTrue else {
            let within = answer["greatest"].number ?? 0
            return "\(seen) equals \(golden)" + (within > 0 ? ", with differences up to \(JSON.text(within))" : "")
                + "\n"
        }
        guard let differing = answer["differing"].number else {
            return "\(seen) differs from \(golden): \(answer["reason"].text)\n"
        }
        let first = answer["first"]
        return "\(seen) differs from \(golden): \(JSON.text(differing)) of \(answer["pixels"].text) pixels, "
            + "by up to \(answer["greatest"].text) of 255, within \(answer["box"].rectText); "
            + "the first at \(first["x"].text),\(first["y"].text): expected \(first["expected"].text), "
            + "seen \(first["seen"].text)\n"
    }
}
