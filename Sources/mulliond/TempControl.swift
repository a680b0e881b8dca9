import DisplayServer
import EventLoop
final class ControlServer { init(_ s: DisplayServer, socket: ListeningSocket) throws {}
 func stop() {} }
