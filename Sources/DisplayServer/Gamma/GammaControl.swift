// zwlr_gamma_control_manager_v1 and zwlr_gamma_control_v1

import Compositor
import Glibc
import MullionSystem
import MullionWayland
import WindowModel

/// Creates controls, for clients that may administer: everybody sees the colours of a screen.
final class GammaControlManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrGammaControlManagerV1.Request.self, opcode, &reader) {
        case .getGammaControl(let id, let output):
            let output = try connection.resource(output, as: OutputResource.self)
            let control = try GammaControlResource(client, id: id, version: version)
            control.start(on: output.screen)
        case .destroy: destroy()
        }
    }
}

/// Changes the colours of pictures of one screen while it exists.
final class GammaControlResource: Resource {
    /// Entries of a ramp: one for each value of a channel of the framebuffer.
    static let rampLength = 256
    /// The bytes of a table.
    static let tableBytes = 3 * rampLength * 2

    /// Nil once the control has failed.
    private(set) var screen: Screen.ID?
    /// The table as the client sent it; empty before it did.
    private(set) var bytes: [UInt8] = []
    /// Nil for the screen's own colours.
    private(set) var table: ColorTable?

    /// - Parameter screen: nil when it was unplugged meanwhile (S9).
    func start(on screen: Screen.ID?) {
        guard let output = screen.flatMap({ server.output(of: $0) }), output.gamma == nil else { return fail() }
        self.screen = screen
        output.gamma = self
        send(ZwlrGammaControlV1.Event.gammaSize(size: UInt32(Self.rampLength)))
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(ZwlrGammaControlV1.Request.self, opcode, &reader) {
        case .setGamma(let file):
            let bytes = try Self.read(file, for: self)
            guard screen != nil else { return }
            set(bytes)
        case .destroy: destroy()
        }
    }

    override func willDestroy() {
        end()
    }

    /// Called when there will be no effect: the screen is unplugged, or another control exists.
    func fail() {
        end()
        send(ZwlrGammaControlV1.Event.failed)
    }

    private func end() {
        guard let screen else { return }
        self.screen = nil
        if let output = server.output(of: screen), output.gamma === self { output.gamma = nil }
        show(nil, on: screen)
    }

    /// Sets a table of `tableBytes` bytes.
    func set(_ new: [UInt8]) {
        guard let screen, new != bytes else { return }
        bytes = new
        // The host is little-endian; a channel of the picture has the upper 8 of the 16 bits.
        let high = stride(from: 1, to: new.count, by: 2).map { new[$0] }
        let ramps = (0..<3).map { Array(high[$0 * Self.rampLength..<($0 + 1) * Self.rampLength]) }
        show(ColorTable(red: ramps[0], green: ramps[1], blue: ramps[2]), on: screen)
    }

    private func show(_ new: ColorTable?, on screen: Screen.ID) {
        guard new != table else { return }
        table = new
        server.pictureDidChange(on: screen)
        server.captures.screenChanged(screen)
    }

    /// Reads a table. Files that could block the server, such as those of network file systems, are refused.
    private static func read(_ file: OwnedDescriptor, for object: GammaControlResource) throws(ProtocolError) -> [UInt8]
    {
        func refusal(_ message: String) -> ProtocolError {
            ProtocolError(object: object.id, code: ZwlrGammaControlV1.Error.invalidGamma.rawValue, message: message)
        }
        let kind = DescriptorKind(file)
        guard kind == .memory || kind.isLocalFile else {
            throw refusal("the descriptor is \(kind); use a memfd, or a file on tmpfs or a local disk")
        }
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int(status.st_size) == tableBytes
        else { throw refusal("the descriptor is not a file of \(tableBytes) bytes: three ramps of \(rampLength)") }
        var bytes = [UInt8](repeating: 0, count: tableBytes)
        guard unsafe pread(file.rawValue, &bytes, bytes.count, 0) == bytes.count else {
            throw refusal("the table cannot be read")
        }
        return bytes
    }
}
