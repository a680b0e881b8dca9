// screenshot, compare

import Glibc
import System

extension Command {
    static var pictureCommands: [Command] {
        [
            Command(
                name: "screenshot", arguments: "[SCREEN] -o FILE.png [--state FILE.json] [--upright] [--cursor]",
                summary: "save a screen's picture; without SCREEN all in one",
                details: """
                    FILE - is standard output. A file is replaced only when the whole picture is there. One screen's
                    picture is its framebuffer as it is; all in one are as a person sees them.

                      --upright          turn a rotated screen's picture as a person sees it
                      --cursor           with the cursor
                      --state FILE.json  save what the server knew at the same moment: screens, windows, surfaces, who
                                         is key, and with toPixels how points become pixels of the picture
                    """,
                run: { (call) throws(Failure) in try screenshot(call) }),
            Command(
                name: "compare",
                arguments: "GOLDEN.png [SCREEN] [--tolerance N] [--diff FILE.png] [--upright] [--cursor] [--update]",
                summary: "compare a screen's picture, or all in one, with a saved one",
                details: """
                    The saved picture is one that "screenshot" made with the same SCREEN, --upright and --cursor. Exit status: 0
                    equal, 1 different or refused, 2 wrong command line.

                      --tolerance N    differences up to N (0 to 255) of red, green and blue do not count (default: 0)
                      --diff FILE.png  when they differ, save where: red there, elsewhere dim
                      --upright        turn a rotated screen's picture as a person sees it
                      --cursor         with the cursor
                      --update         save what is seen as GOLDEN.png instead of comparing
                    """,
                run: { (call) throws(Failure) in try Comparison(call).run() }),
        ]
    }

    private static func screenshot(_ call: Invocation) throws(Failure) {
        let screen = call.word()
        let view = PictureView(call)
        let files = call.option("-o", "--output")
        let state = try call.single("--state")
        try call.end()
        guard let file = files.last, files.count == 1 else { throw .usage("one -o FILE.png is needed") }
        guard let state else { return try Picture.save(Picture.take(screen, view, call.client), as: file) }
        guard file != state else { throw .usage("-o and --state need two files") }
        let which =
            screen.map { "screen=\(ControlClient.escape($0))&\(view.query)" } ?? "joined=true&\(view.joinedQuery)"
        let capture = try JSON(parsing: try call.client.send("GET", "/capture?" + which).text)
        let pictures = [capture["png"]] + capture["screens"].elements.map { $0["png"] }
        guard let picture = pictures.lazy.compactMap(\.bytes).first else {
            throw .refused("the server's answer has no picture in it")
        }
        let screens = JSON.array(capture["screens"].elements.map { $0.without("png") })
        let text = capture.without("png").with("screens", screens).encoded
        try Picture.save(picture, as: file)
        try Picture.save(Array((text + "\n").utf8), as: state)
    }
}

/// The options of a screenshot.
struct PictureView {
    let isUpright: Bool
    let hasCursor: Bool

    init(_ call: Invocation) {
        isUpright = call.flag("--upright")
        hasCursor = call.flag("--cursor")
    }

    /// For one screen.
    var query: String { "upright=\(isUpright)&cursor=\(hasCursor)" }
    /// For all screens in one picture, which is always upright.
    var joinedQuery: String { "cursor=\(hasCursor)" }
    /// As command-line options.
    var words: [String] { (isUpright ? ["--upright"] : []) + (hasCursor ? ["--cursor"] : []) }
}

/// Loads and saves pictures, atomically.
enum Picture {
    /// Takes a screenshot of one screen, or of all in one picture.
    static func take(_ screen: String?, _ view: PictureView, _ client: ControlClient) throws(Failure) -> [UInt8] {
        let path = screen.map { "/screens/\(ControlClient.escape($0))/screenshot.png?\(view.query)" }
        return try client.send("GET", path ?? "/screenshot.png?\(view.joinedQuery)").body
    }

    /// A file's bytes, nil when there is no such file.
    static func load(_ path: String) throws(Failure) -> [UInt8]? {
        do throws(SystemError) {
            return try DescriptorIO.contents(ofFile: path)
        } catch {
            if error.code == ENOENT { return nil }
            throw .refused("\(path): \(error)")
        }
    }

    static func save(_ bytes: [UInt8], as path: String) throws(Failure) {
        if path == "-" { return Terminal.write(1, bytes) }
        do throws(AtomicFile.Failure) {
            try AtomicFile.replace(
                path, with: bytes, by: "\(path).\(getpid()).tmp", exclusively: true, permissions: 0o666, syncs: false)
        } catch {
            throw .refused("\(path): \(error.error)")
        }
    }
}
