// screenshot, compare

import Glibc
import JSON5
import MullionControl
import MullionSystem

extension Command {
    static var pictureCommands: [Command] {
        [
            Command(
                name: "screenshot",
                arguments:
                    "[SCREEN | --window ID] -o FILE.png [--crop AREA] [--scale N] [--max-edge N] "
                    + "[--state FILE.json] [--upright] [--cursor] [--popups]",
                summary: "save a picture of a screen, of all screens, or of a window",
                details: """
                    FILE "-" is standard output; files are replaced atomically. The picture of a
                    screen is its framebuffer in native orientation. Without SCREEN, the picture
                    shows all screens upright, at their positions in the global layout.

                      --window ID        a window by itself, with alpha and without what covers
                                         it, also while it is hidden or on no screen; ID may be
                                         its title
                      --popups           with --window: extend the picture to the pop-ups outside
                                         the window
                      --crop AREA        only a part of the picture: X,Y,WIDTH,HEIGHT in its pixels,
                                         or window:ID or window:TITLE for a window's bounds
                      --scale N          scale the picture down by this factor, 0.01 to 1
                      --max-edge N       scale it down to at most N pixels in width and height
                      --upright          rotate the picture of a rotated screen to upright
                      --cursor           include the cursor
                      --state FILE.json  save the state of the same moment: screens, windows,
                                         surfaces, the key window, and as toPixels the transforms
                                         from points to the picture's pixels
                    """,
                run: { (call) throws(CommandError) in try screenshot(call) }),
            Command(
                name: "compare",
                arguments:
                    "GOLDEN.png [SCREEN | --window ID] [--crop AREA] [--mask AREA|WIDGETS]… [--tolerance N] [--max-differing N[%]] "
                    + "[--diff FILE.png] [--side-by-side FILE.png] [--variant NAME]… [--upright] [--cursor] [--popups] "
                    + "[--update]",
                summary: "compare a picture with a saved one",
                details: """
                    GOLDEN.png is a picture that "screenshot" saved with the same SCREEN and
                    options. An AREA is X,Y,WIDTH,HEIGHT in pixels of the uncropped picture, or
                    window:ID or window:TITLE for a window's bounds on its screen.

                      --crop AREA        compare only a part of the picture
                      --mask AREA        ignore a part of the picture, such as a clock
                      --mask WIDGETS     ignore the visible parts of widgets; WIDGETS are keys of
                                         "find" with commas: role=textbox,name=Search
                      --tolerance N      ignore differences of up to N (0 to 255) in each of red,
                                         green, blue and alpha (default: 0)
                      --max-differing N  accept up to N differing pixels, or with N% that share
                                         of the compared ones (default: 0)
                      --diff FILE.png    if the pictures differ, save one with the differences in
                                         red, masks in blue and everything else dimmed
                      --side-by-side FILE.png
                                         if they differ, save both and their differences as one
                      --variant NAME     use GOLDEN.NAME.png instead, such as menu.gtk-4.8.png,
                                         if that file exists; the first one that does
                      --window, --popups, --upright, --cursor
                                         as for "screenshot"
                      --update           save the current picture as GOLDEN.png instead of
                                         comparing; with --variant as the first variant

                    Exit status: 0 if equal, 1 if different or refused, 2 for an invalid command
                    line.
                    """,
                run: { (call) throws(CommandError) in try Comparison(call).run() }),
        ]
    }

    private static func screenshot(_ call: Invocation) throws(CommandError) {
        var choice = try PictureChoice(call)
        let files = call.option("-o", "--output")
        let state = try call.single("--state")
        let scale = try call.single("--scale").map { (text) throws(CommandError) in try Values.number(text, "--scale") }
        let maxEdge = try call.single("--max-edge").map { (text) throws(CommandError) in
            guard let edge = DecimalText.whole(text) else {
                throw .usage("--max-edge: \"\(text)\" is not a number of pixels; use a whole number")
            }
            return edge
        }
        try call.end()
        guard let file = files.last, files.count == 1 else { throw .usage("use -o FILE.png once") }
        choice = try choice.withID(call.client)
        guard let state else {
            return try Picture.save(choice.take(call.client, scale: scale, maxEdge: maxEdge), as: file)
        }
        guard scale == nil, maxEdge == nil else {
            throw .usage("--state is about pixels of the whole picture; leave --scale and --max-edge out")
        }
        guard choice.window == nil, choice.crop == nil else {
            throw .usage("--state describes whole pictures of screens; use it without --window and --crop")
        }
        guard file != state else { throw .usage("-o and --state need different files") }
        let answer = try call.client.answer(to: choice.capture)
        let capture = try choice.capture.value(of: answer)
        guard let picture = ([capture.png] + capture.screens.map(\.png)).lazy.compactMap({ $0?.bytes }).first else {
            throw .refused("the server's answer contains no picture")
        }
        let json = try JSON(parsing: answer.text)
        let screens = JSON.array(json["screens"].elements.map { $0.without("png") })
        let text = json.without("png").with("screens", screens).encoded
        try Picture.save(picture, as: file)
        try Picture.save(Array((text + "\n").utf8), as: state)
    }
}

/// Loads and saves pictures, atomically.
enum Picture {
    /// The most bytes of a file: the server accepts no more either.
    private static let mostBytes = 64 << 20

    /// A file's bytes; nil when it does not exist.
    /// - Parameters:
    ///   - most: how many bytes it may have.
    ///   - isRegular: whether it must be a regular file, not a pipe to which another program writes.
    static func load(
        _ path: String, atMost most: Int = mostBytes, isRegular: Bool = false
    ) throws(CommandError) -> [UInt8]? {
        do throws(NamedFileError) {
            return try NamedFile.contents(of: path, atMost: most, acceptsPipes: !isRegular)
        } catch {
            if error.isMissing || error.isDangling { return nil }
            throw .refused("\(path): \(error)")
        }
    }

    /// Saves a file, "-" for standard output. A failure leaves the old file, or none. A link stays, as do devices and
    /// pipes, which are written to.
    static func save(_ bytes: [UInt8], as path: String) throws(CommandError) {
        if path == "-" { return Terminal.out(bytes) }
        var file = stat()
        let exists = unsafe stat(path, &file) == 0
        do throws(SystemError) {
            if exists, file.st_mode & S_IFMT != S_IFREG {
                try write(bytes, into: path)
            } else {
                try replace(exists ? target(of: path) : path, with: bytes)
            }
        } catch {
            throw .refused("\(path): \(error)")
        }
    }

    /// Checks that a file can be saved, before the work whose result it is to contain.
    static func check(_ path: String) throws(CommandError) {
        guard path != "-" else { return }
        var file = stat()
        var place = path
        if unsafe stat(path, &file) == 0 {
            guard file.st_mode & S_IFMT != S_IFDIR else { throw .refused("\(path): \(SystemError(EISDIR))") }
            do throws(SystemError) {
                if file.st_mode & S_IFMT == S_IFREG { place = Folder.above(try target(of: path)) }
            } catch {
                throw .refused("\(path): \(error)")
            }
        } else {
            place = Folder.above(path)
        }
        guard unsafe access(place, W_OK) == 0 else { throw .refused("\(path): \(Terminal.reason)") }
    }

    /// Whether saving makes a new file, rather than writing to standard output, a device or a pipe.
    static func isReplaced(_ path: String) -> Bool {
        var file = stat()
        return path != "-" && (unsafe stat(path, &file) != 0 || file.st_mode & S_IFMT == S_IFREG)
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        do throws(AtomicFileError) {
            try AtomicFile.replace(
                path, with: bytes, by: "\(path).\(getpid()).tmp", exclusively: true, permissions: 0o666, syncs: false)
        } catch {
            throw error.error
        }
    }

    private static func write(_ bytes: [UInt8], into path: String) throws(SystemError) {
        let file = unsafe OwnedDescriptor(open(path, O_WRONLY | O_CLOEXEC))
        guard file.rawValue >= 0 else { throw .last }
        try DescriptorIO.write(bytes, to: file.rawValue)
    }

    /// The file behind links.
    static func target(of path: String) throws(SystemError) -> String {
        guard let target = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(target) }
        return unsafe String(cString: target)
    }
}
