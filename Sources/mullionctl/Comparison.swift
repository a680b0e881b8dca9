// mullionctl compare: compares a picture with a golden one.

import ControlProtocol
import Glibc
import JSON5
import MullionControl
import MullionSystem

/// One invocation of `mullionctl compare`.
struct Comparison {
    private let call: Invocation
    private let golden: String
    private var choice: PictureChoice
    private let masks: [String]
    private let widgetMasks: [WidgetMask]
    private let tolerance: Int
    private let maxDiffering: String?
    private let diff: String?
    private let sideBySide: String?
    private let variants: GoldenVariants
    private let updates: Bool

    init(_ call: Invocation) throws(CommandError) {
        self.call = call
        golden = try call.word("GOLDEN.png")
        choice = try PictureChoice(call)
        var masks: [String] = []
        var widgetMasks: [WidgetMask] = []
        for word in call.option("--mask") {
            if let mask = try WidgetMask(word) { widgetMasks.append(mask) } else { masks.append(word) }
        }
        (self.masks, self.widgetMasks) = (masks, widgetMasks)
        updates = call.flag("--update")
        diff = try call.single("--diff")
        sideBySide = try call.single("--side-by-side")
        maxDiffering = try call.single("--max-differing")
        variants = try GoldenVariants(call)
        let text = try call.single("--tolerance") ?? "0"
        guard let tolerance = DecimalText.whole(text), (0...255).contains(tolerance) else {
            throw .usage("--tolerance \(text) is not a tolerance; use 0 to 255")
        }
        self.tolerance = tolerance
        if let maxDiffering, !Self.isAllowance(maxDiffering) {
            throw .usage(
                "--max-differing: \"\(maxDiffering)\" is not a number of pixels; use a whole number like 20, or a percentage "
                    + "like 0.5%, up to 100%")
        }
        for mask in masks where !mask.hasPrefix("window:") && !Self.isArea(mask) {
            throw .usage(
                "--mask: \"\(mask)\" is not a part of a picture; use X,Y,WIDTH,HEIGHT, from 0 to 16384, with a width and height "
                    + "of at least 1, or window:ID or window:TITLE")
        }
        try call.end()
        guard diff == nil || diff != sideBySide else { throw .usage("--diff and --side-by-side need different files") }
        guard widgetMasks.isEmpty || !choice.hasPopups else {
            throw .usage("--mask: widgets have no fixed place in a picture with --popups; use X,Y,WIDTH,HEIGHT")
        }
        choice = try choice.withID(call.client)
    }

    private static func isAllowance(_ text: String) -> Bool {
        guard text.hasSuffix("%") else { return DecimalText.whole(text) != nil }
        return DecimalText.number(text.dropLast()).map { (0...100).contains($0) } ?? false
    }

    private static func isArea(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { DecimalText.whole($0) }
        return parts.count == 4 && numbers.count == 4 && numbers.allSatisfy { (0...16384).contains($0) }
            && numbers[2] >= 1
            && numbers[3] >= 1
    }

    func run() throws(CommandError) {
        if updates { return try update() }
        let (file, bytes) = try variants.load(golden)
        guard let bytes else {
            let words = ([golden] + choice.words + variants.words).joined(separator: " ")
            throw .refused(
                "\(golden) does not exist; create it with mullionctl compare \(words) --update"
                    + " or mullionctl screenshot")
        }
        var query = [("tolerance", "\(tolerance)")]
        if diff != nil { query.append(("diff", "true")) }
        if sideBySide != nil || RunNote.isWanted { query.append(("sideBySide", "true")) }
        if let maxDiffering { query.append(("maxDiffering", maxDiffering)) }
        var masks = masks
        for mask in widgetMasks { masks += try mask.areas(in: choice, call.client) }
        query += masks.map { ("masks", $0) }
        let request = choice.comparison(with: bytes, query)
        let reply = try call.client.answer(to: request, accepting: [400])
        if let problem = reply.problem, problem.code == .malformed {
            throw .refused("\(file): \(problem.detail.printable())")
        }
        try call.client.check(reply)
        let answer = try request.value(of: reply)
        if answer.pixels == 0 {
            throw .refused("--mask: the masks cover the whole picture, and leave nothing to compare; use smaller ones")
        }
        var saved: [String] = []
        for (path, picture) in [(diff, answer.diff?.bytes), (sideBySide, answer.sideBySide?.bytes)] {
            guard let path, let picture else { continue }
            try Picture.save(picture, as: path)
            if path != "-" { saved.append(path) }
        }
        let places = saved.isEmpty ? "" : "; see \(saved.joined(separator: " and "))"
        if call.json {
            let json = try JSON(parsing: reply.text)
            Terminal.out((sideBySide == nil ? json.without("sideBySide") : json).encoded + "\n")
        } else {
            Terminal.out(sentence(answer, file) + places + "\n")
        }
        guard !answer.equal else { return RunNote.removeEarlier() }
        note(answer, file)
        throw .status(1)
    }

    /// Notes the differences for the report of the run.
    private func note(_ answer: API.Comparison, _ file: String) {
        guard RunNote.isWanted else { return }
        var note = RunNote(sentence(answer, file))
        note.add(picture: answer.sideBySide?.text)
        if choice.window == nil, choice.crop == nil, let box = answer.box {
            note.mark(box, on: choice.screen)
        }
        note.save()
    }

    private func update() throws(CommandError) {
        let file = variants.target(golden)
        let existed = unsafe access(file, F_OK) == 0
        if !existed { try Folder.make(Folder.above(file)) }
        let picture = try choice.take(call.client)
        try WrittenGoldens.save(picture, as: file)
        Terminal.out("\(file) is \(existed ? "updated" : "created")\n")
    }

    private func sentence(_ answer: API.Comparison, _ file: String) -> String {
        let seen = choice.title
        guard !answer.equal else {
            guard let within = answer.greatest, within > 0 else { return "\(seen) equals \(file)" }
            let differing = answer.differing ?? 0
            let pixels = differing > 0 ? " in \(differing) pixels" : ""
            return "\(seen) equals \(file), with differences up to \(within)\(pixels)"
        }
        guard let differing = answer.differing, let first = answer.first, let box = answer.box else {
            return "\(seen) differs from \(file): \(answer.reason ?? "")"
        }
        let allowed = answer.allowed.map { $0 > 0 ? " (\($0) allowed)" : "" } ?? ""
        return "\(seen) differs from \(file): \(differing) of \(answer.pixels) pixels\(allowed), "
            + "by up to \(answer.greatest ?? 0) of 255, within \(box.text); "
            + "the first at \(first.x),\(first.y): expected \(first.expected), seen \(first.seen)"
    }
}

/// The golden pictures of one name for several environments, such as versions of a toolkit.
struct GoldenVariants {
    private let names: [String]

    /// Consumes `--variant`.
    init(_ call: Invocation) throws(CommandError) {
        names = call.option("--variant")
        if let name = names.first(where: { $0.isEmpty || $0.contains("/") }) {
            throw .usage("--variant \"\(name)\" is not a part of a file's name; use one like gtk-4.8")
        }
    }

    /// As command-line words.
    var words: [String] { names.flatMap { ["--variant", $0] } }

    /// The first existing file of the variants and the golden itself, and its bytes; nil when there is none.
    /// - Parameter isRegular: whether it must be a regular file, which has an end.
    func load(_ golden: String, isRegular: Bool = false) throws(CommandError) -> (file: String, bytes: [UInt8]?) {
        for name in names {
            let file = Self.file(golden, name)
            if let bytes = try Picture.load(file, isRegular: isRegular) { return (file, bytes) }
        }
        return (golden, try Picture.load(golden, isRegular: isRegular))
    }

    /// The file that `--update` writes.
    func target(_ golden: String) -> String { names.first.map { Self.file(golden, $0) } ?? golden }

    private static func file(_ golden: String, _ variant: String) -> String {
        golden.hasSuffix(".png") ? "\(golden.dropLast(4)).\(variant).png" : "\(golden).\(variant)"
    }
}
