// A program that changes windows as it is asked on standard input, and prints what the library believes.

import Dispatch
import Glibc
import MullionClient

/// Usage: LibraryClient NAME SOCKET. Each line holds requests separated by ";", which are committed together; its
/// answer is one line of JSON.
let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: LibraryClient NAME SOCKET")
    exit(2)
}
do {
    let application = try Application(name: arguments[1], display: arguments[2])
    let interpreter = Interpreter(application)
    // The main queue runs between the events of the application.
    let input = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
    input.setEventHandler { MainActor.assumeIsolated { interpreter.read() } }
    input.activate()
    try application.run()
} catch {
    print("error: \(error)")
    exit(1)
}
