// screenshot, compare

import Glibc
import System

extension Command {
    static var pictureCommands: [Command] {
        [
            Command(
                name: "screenshot",
                arguments: "[SCREEN | --window ID] -o FILE.png [--state FILE.json] [--upright] [--cursor] [--popups]",
                summary: "save a picture of a screen, of all screens, or of a window",
                details: """
                    FILE "-" is standard output; files are replaced atomically. The picture of a
                    screen is its framebuffer in native orientation. Without SCREEN, the picture
                    shows all screens upright, at their positions in the global layout.

                      --window ID        a window by itself, with alpha and without what covers
                                         it, also while it is hidden or on no screen
                      --popups           with --window: extend the picture to the pop-ups outside
                                         the window
                      --upright          rotate the picture of a rotated screen to upright
                      --cursor           include the cursor
                      --state FILE.json  save the state of the same moment: screens, windows,
                                         surfaces, the key window, and as toPixels the transforms
                                         from points to the picture's pixels
                    """,
                run: { (call) throws(CommandError) in try screenshot(call) }),
            Command(
                name: "compare",
                arguments: "GOLDEN.png [SCREEN] [--tolerance N] [--diff FILE.png] [--upright] [--cursor] [--update]",
                summary: "compare a picture with a saved one",
                details: """
                    GOLDEN.png is a picture that "screenshot" saved with the same SCREEN, --upright
                    and --cursor.

                      --tolerance N    ignore differences of up to N (0 to 255) in each of red,
                                       green and blue (default: 0)
                      --diff FILE.png  if the pictures differ, save one with the differences in red
                                       and everything else dimmed
                      --upright        rotate the picture of a rotated screen to upright
                      --cursor         include the cursor
                      --update         save the current picture as GOLDEN.png instead of comparing

                    Exit status: 0 if equal, 1 if different or refused, 2 for an invalid command
                    line.
                    """,
                run: { (call) throws(CommandError) in try Comparison(call).run() }),
        ]
    }

    private static func screenshot(_ call: Invocation) throws(CommandError) {
        let screen = call.word()
        let view = PictureView(call)
        let files = call.option("-o", "--output")
        let state = try call.single("--state")
        let window = try call.single("--window")
        let hasPopups = call.flag("--popups")
        try call.end()
        guard let file = files.last, files.count == 1 else { throw .usage("use -o FILE.png once") }
        if let window {
            guard screen == nil, state == nil, !view.isUpright else {
                throw .usage("--window takes a picture of its own; use it without SCREEN, --state and --upright")
            }
            let path = "/windows/\(ControlClient.escape(window))/screenshot.png"
            let query = "?popups=\(hasPopups)&cursor=\(view.hasCursor)"
            return try Picture.save(try call.client.send("GET", path + query).body, as: file)
        }
        guard !hasPopups else { throw .usage("--popups is an option of --window ID") }
        guard let state else { return try Picture.save(Picture.take(screen, view, call.client), as: file) }
        guard file != state else { throw .usage("-o and --state need different files") }
        let which =
            screen.map { "screen=\(ControlClient.escape($0))&\(view.query)" } ?? "joined=true&\(view.joinedQuery)"
        let capture = try JSON(parsing: try call.client.send("GET", "/capture?" + which).text)
        let pictures = [capture["png"]] + capture["screens"].elements.map { $0["png"] }
        guard let picture = pictures.lazy.compactMap(\.bytes).first else {
            throw .refused("the server's answer contains no picture")
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
    static func take(_ screen: String?, _ view: PictureView, _ client: ControlClient) throws(CommandError) -> [UInt8] {
        let path = screen.map { "/screens/\(ControlClient.escape($0))/screenshot.png?\(view.query)" }
        return try client.send("GET", path ?? "/screenshot.png?\(view.joinedQuery)").body
    }

    /// A file's bytes; nil when it does not exist.
    static func load(_ path: String) throws(CommandError) -> [UInt8]? {
        do throws(SystemError) {
            return try DescriptorIO.contents(ofFile: path)
        } catch {
            if error.code == ENOENT { return nil }
            throw .refused("\(path): \(error)")
        }
    }

    static func save(_ bytes: [UInt8], as path: String) throws(CommandError) {
        if path == "-" { return Terminal.write(1, bytes) }
        do throws(AtomicFileError) {
            try AtomicFile.replace(
                path, with: bytes, by: "\(path).\(getpid()).tmp", exclusively: true, permissions: 0o666, syncs: false)
        } catch {
            throw .refused("\(path): \(error.error)")
        }
    }
}
