// What arrives at a socket beside bytes and descriptors.

import FoundationEssentials
import Glibc
import MullionSystem
import Testing

@Suite struct UnixSocketTests {
    @Test("process descriptors, which any holder of a socket can request from the kernel, are closed")
    func processDescriptors() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let (reader, writer) = (OwnedDescriptor(ends[0]), OwnedDescriptor(ends[1]))
        // SO_PASSPIDFD, since Linux 6.5.
        var on: Int32 = 1
        guard setsockopt(reader.rawValue, SOL_SOCKET, 76, &on, 4) == 0 else { return }
        for _ in 0..<100 {
            try #require(Glibc.send(writer.rawValue, "x", 1, 0) == 1)
            var (byte, descriptors) = ([UInt8](repeating: 0, count: 16), [Int32](repeating: -1, count: 512))
            let received = byte.withUnsafeMutableBytes {
                UnixSocket.receive(from: reader.rawValue, into: $0, descriptors: &descriptors)
            }
            #expect(received.bytes == 1 && received.descriptors == 0 && !received.isTruncated)
        }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.contains("pidfd")
                == true
        }
        #expect(open.count < 100)
    }
}
