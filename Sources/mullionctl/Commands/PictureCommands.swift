// screenshot

import Glibc

extension Command {
    static var pictureCommands: [Command] {
        [
            Command(
                name: "screenshot", arguments: "[SCREEN] -o FILE.png",
                summary: "save a screen's picture; without SCREEN all in one",
                details: "FILE - is standard output. A file is replaced only when the whole picture is there.",
                run: { (call) throws(Failure) in
                    let screen = call.word()
                    let files = call.option("-o", "--output")
                    try call.end()
                    guard let file = files.last, files.count == 1 else { throw .usage("one -o FILE.png is needed") }
                    let path = screen.map { "/screens/\(ControlClient.escape($0))" } ?? ""
                    try Picture.save(try call.client.send("GET", path + "/screenshot.png").body, as: file)
                })
        ]
    }
}

/// Files that are whole or not there.
enum Picture {
    static func save(_ bytes: [UInt8], as path: String) throws(Failure) {
        if path == "-" { return Terminal.write(1, bytes) }
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .refused("\(path): \(Terminal.reason)") }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            done += count
        }
        let isWhole = done == bytes.count && close(descriptor) == 0
        guard isWhole, rename(temporary, path) == 0 else {
            let reason = Terminal.reason
            unlink(temporary)
            throw .refused("\(path): \(reason)")
        }
    }
}
