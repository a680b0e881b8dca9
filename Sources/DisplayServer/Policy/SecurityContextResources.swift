// wp_security_context_manager_v1 and wp_security_context_v1

import EventLoop
import MullionSystem
import MullionWayland

/// Lets sandbox engines hand over sockets for the programs in their sandboxes.
final class SecurityContextManagerResource: Resource {
    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        switch try decode(WpSecurityContextManagerV1.Request.self, opcode, &reader) {
        case .destroy: destroy()
        case .createListener(let id, let listening, let closing):
            let limit = connection.transport.limits.sandboxes
            guard client.account.sandboxes < limit else {
                throw ProtocolError(.noMemory, object: self.id, message: "limit reached: \(limit) sandboxes of a user")
            }
            // The client still has both: check them only in ways that nobody can block.
            guard DescriptorKind(listening) == .socket, UnixSocket.adoptListener(listening) else {
                throw error("the first descriptor is not a listening Unix socket")
            }
            guard [.pipe, .socket].contains(DescriptorKind(closing)) else {
                throw error("the second descriptor, whose hang-up ends the sandbox, is not a pipe or socket")
            }
            let context = try SecurityContextResource(client, id: id, version: version)
            context.start(listening, closing, SandboxShare(of: client.account))
        }
    }

    private func error(_ message: String) -> ProtocolError {
        ProtocolError(object: id, code: WpSecurityContextManagerV1.Error.invalidListenFd.rawValue, message: message)
    }
}

/// The description of a socket's clients, until it is committed.
final class SecurityContextResource: Resource {
    /// Nil once committed.
    private(set) var sockets: (listening: OwnedDescriptor, closing: OwnedDescriptor, share: SandboxShare)?
    private var sandbox = Sandbox()

    func start(_ listening: OwnedDescriptor, _ closing: OwnedDescriptor, _ share: SandboxShare) {
        sockets = (listening, closing, share)
    }

    override func handle(_ opcode: UInt16, _ reader: inout MessageReader) throws(ProtocolError) {
        let request = try decode(WpSecurityContextV1.Request.self, opcode, &reader)
        if case .destroy = request { return destroy() }
        guard let sockets else { throw error(.alreadyUsed, "the context was committed; destroy it") }
        switch request {
        case .destroy: break
        case .setSandboxEngine(let name): try set(\.engine, "the sandbox engine", name)
        case .setAppId(let id): try set(\.application, "the application", id)
        case .setInstanceId(let id): try set(\.instance, "the instance", id)
        case .commit:
            guard !sandbox.engine.isEmpty else {
                throw error(.invalidMetadata, "a context names its sandbox engine, for example org.flatpak")
            }
            self.sockets = nil
            do {
                let listener = try SandboxListener(
                    server, sandbox, sockets.listening, sockets.closing, sockets.share)
                server.sandboxes.append(listener)
                server.log(
                    .info, "client \(client.description): listens for the sandbox \(sandbox)", about: client.subject())
            } catch {
                throw self.error(.invalidMetadata, "the second descriptor cannot be watched: \(error)")
            }
        }
    }

    private func set(_ path: WritableKeyPath<Sandbox, String>, _ what: String, _ value: String) throws(ProtocolError) {
        guard sandbox[keyPath: path].isEmpty else { throw error(.alreadySet, "\(what) was named before") }
        guard !value.isEmpty, value.utf8.count <= 256 else {
            throw error(.invalidMetadata, "the name of \(what) has 1 to 256 bytes, not \(value.utf8.count)")
        }
        sandbox[keyPath: path] = value
    }

    private func error(_ code: WpSecurityContextV1.Error, _ message: String) -> ProtocolError {
        ProtocolError(object: id, code: code.rawValue, message: message)
    }
}
