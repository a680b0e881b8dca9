// Recognizes requests with chunked bodies, of which evhttp limits nothing.

import CLibevent

extension HTTPConnections.Input {
    private static let chunksField = Array("transfer-encoding".utf8)

    /// Whether the latest bytes announce a chunked body. The buffer still holds the beginning of the current line.
    /// - Parameter count: the number of the latest bytes.
    func speaksOfChunks(_ count: Int) -> Bool {
        let name = Self.chunksField
        let buffer = unsafe self.buffer
        let length = unsafe evbuffer_get_length(buffer)
        let wanted = min(length, count + name.count)
        var place = unsafe evbuffer_ptr()
        guard wanted >= name.count, unsafe evbuffer_ptr_set(buffer, &place, length - wanted, EVBUFFER_PTR_SET) == 0
        else {
            return false
        }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wanted) { bytes in
            guard unsafe evbuffer_copyout_from(buffer, &place, bytes.baseAddress, wanted) == wanted else {
                return false
            }
            // Upper and lower case differ in one bit.
            for start in 0...(wanted - name.count) where unsafe bytes[start] | 0x20 == name[0] {
                if unsafe zip(bytes[start...], name).allSatisfy({ $0 | 0x20 == $1 }) { return true }
            }
            return false
        }
    }
}
