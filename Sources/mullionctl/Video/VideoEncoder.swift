// The ffmpeg program, which writes a video.

import Glibc
import System

/// A running ffmpeg that turns a stream of pictures into a file.
///
/// It writes a file beside the final one, which takes that one's place when it is complete.
final class VideoEncoder {
    private let process: Process
    private let pipe: OwnedDescriptor
    /// What ffmpeg writes to its standard error.
    private let messages: OwnedDescriptor
    private let file: String
    private let partial: String

    /// The program's path.
    /// - Throws: how to install it.
    static func program() throws(CommandError) -> String {
        guard let path = Process.path(of: "ffmpeg") else {
            throw .refused("record needs ffmpeg, which is not installed; on Debian, install the package ffmpeg")
        }
        return path
    }

    /// Creates the file that receives the video, so that a wrong folder is noticed before anything is recorded.
    static func prepare(_ file: String) throws(CommandError) -> String {
        let partial = "\(file).\(getpid()).tmp"
        let created = unsafe OwnedDescriptor(open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
        guard created.rawValue >= 0 else { throw .refused("\(file): \(Terminal.reason)") }
        return partial
    }

    /// - Parameters:
    ///   - partial: from `prepare`.
    ///   - width: of the pictures that fill the video, in pixels.
    ///   - height: of the pictures that fill the video, in pixels.
    init(
        _ program: String, _ kind: VideoKind, _ file: String, partial: String, width: Int, height: Int
    ) throws(CommandError) {
        (self.file, self.partial) = (file, partial)
        let ends = try Pipe()
        pipe = OwnedDescriptor(ends.writeEnd)
        let input = OwnedDescriptor(ends.readEnd)
        do throws(SystemError) {
            messages = try AnonymousFile.make("ffmpeg")
        } catch {
            throw .refused("ffmpeg: \(error)")
        }
        let words = [program, "-hide_banner", "-nostdin", "-loglevel", "error"]
        // In a group of its own, out of reach of Ctrl-C.
        let encoder = ChildProcess(
            words + kind.arguments(width: width, height: height, file: partial),
            descriptors: [0: input.rawValue, 1: messages.rawValue, 2: messages.rawValue], group: 0)
        do throws(SystemError) {
            // The optimiser would otherwise close the descriptor after its last mention.
            process = try withExtendedLifetime(input) { () throws(SystemError) in try Process(encoder) }
        } catch {
            throw .refused("\(program): \(error)")
        }
        try write(PictureStream.header(width: width, height: height))
    }

    /// - Throws: why ffmpeg has ended.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        do throws(SystemError) {
            try DescriptorIO.write(bytes, to: pipe.rawValue)
        } catch {
            throw failure(process.ended(waiting: true) ?? 1)
        }
    }

    /// Completes the file.
    func finish() throws(CommandError) {
        pipe.close()
        let status = process.ended(waiting: true) ?? 1
        guard status == 0 else { throw failure(status) }
        guard unsafe rename(partial, file) == 0 else { throw .refused("\(file): \(Terminal.reason)") }
    }

    /// Ends ffmpeg at once. The caller removes the file.
    func cancel() {
        process.send(SIGKILL)
        _ = process.ended(waiting: true)
    }

    private func failure(_ status: Int32) -> CommandError {
        let text = String(decoding: DescriptorIO.read(messages.rawValue, count: 1 << 14), as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).prefix(6).map { "  \($0)" }
        let how =
            status > 128 ? "was ended by \(Finding.name(ofSignal: status - 128))" : "ended with exit status \(status)"
        return .refused((["\(file): ffmpeg \(how)"] + lines).joined(separator: "\n"))
    }
}
