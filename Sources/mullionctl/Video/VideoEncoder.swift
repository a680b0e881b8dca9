// The ffmpeg program, which writes a video.

import Glibc
import MullionControl
import MullionSystem
import Requirements

/// A running ffmpeg that turns a stream of pictures into a file. Nothing here waits for it.
final class VideoEncoder {
    private let process: Process
    private let path: String
    private let file: VideoFile
    /// What ffmpeg writes to its standard error.
    private let messages: OwnedDescriptor
    /// Where it reads the stream; its user closes it.
    let input: Int32
    /// How it has ended.
    private var ending: Process.Ending?

    /// The program's path.
    /// - Throws: how to install it.
    static func program() throws(CommandError) -> String {
        guard let path = Machine.path(of: .ffmpeg) else {
            throw .refused("record needs ffmpeg, which is not installed; \(Requirement.ffmpeg.remedy)")
        }
        return path
    }

    /// - Parameters:
    ///   - program: from `program()`.
    ///   - path: of the video.
    ///   - size: of the pictures that fill the video.
    init(_ program: String, _ kind: VideoKind, _ path: String, _ size: PictureSize) throws(CommandError) {
        self.path = path
        let file = try VideoFile(path)
        self.file = file
        do throws(CommandError) {
            let ends = try Pipe()
            input = ends.writeEnd
            let readEnd = OwnedDescriptor(ends.readEnd)
            do throws(SystemError) {
                messages = try AnonymousFile.make("ffmpeg")
            } catch {
                throw .refused("ffmpeg: \(error)")
            }
            let words = [program, "-hide_banner", "-nostdin", "-loglevel", "error"]
            // In a group of its own, out of reach of Ctrl-C.
            var encoder = ChildProcess(
                words + kind.arguments(width: size.width, height: size.height, file: file.target),
                descriptors: [0: readEnd.rawValue, 1: messages.rawValue, 2: messages.rawValue], group: 0)
            encoder.descriptors[3] = file.unnamed?.rawValue
            do throws(SystemError) {
                // The optimiser would otherwise close the descriptor after its last mention.
                process = try withExtendedLifetime(readEnd) { () throws(SystemError) in try Process(encoder) }
            } catch {
                throw .refused("\(program): \(error)")
            }
        } catch {
            file.remove()
            throw error
        }
    }

    /// Whether it has ended; SIGCHLD announces that.
    var hasEnded: Bool {
        if ending == nil { ending = process.ending() }
        return ending != nil
    }

    /// The processor time that it has used, in the system's units; nil when it has ended.
    var work: Int? { ending == nil ? ProcessTree.work(of: process.id) : nil }

    /// Gives the file its name. Call it when ffmpeg has ended.
    /// - Parameter isWhole: whether it has read the whole stream.
    func save(isWhole: Bool) throws(CommandError) {
        do throws(CommandError) {
            guard isWhole, ending == .exited(0) else { throw failure }
            do throws(SystemError) { try file.save() } catch { throw .refused("\(path): \(error)") }
        } catch {
            file.remove()
            throw error
        }
    }

    /// Ends ffmpeg at once, and removes the file.
    func cancel() {
        if ending == nil {
            process.send(SIGKILL)
            ending = process.ending(waiting: true)
        }
        file.remove()
    }

    private var failure: CommandError {
        let text = String(decoding: DescriptorIO.read(messages.rawValue, count: 1 << 14), as: UTF8.self)
        let lines = text.replacingAll("file:\(file.target)", with: path).split(whereSeparator: \.isNewline)
        let how =
            switch ending {
            case .killed(let signal): "was ended by \(SignalName.text(signal))"
            case .exited(let status): "ended with exit status \(status)"
            case nil: "has not ended"
            }
        return .refused((["\(path): ffmpeg \(how)"] + lines.prefix(6).map { "  \($0)" }).joined(separator: "\n"))
    }
}
