// A client's buffer that receives a picture.

import Compositor

/// Copies a part of a picture to shared memory, or draws it there.
struct CaptureBuffer {
    let buffer: BufferResource
    /// The part, in the picture's pixels; as large as the buffer.
    let area: IntRect

    /// Whether pixels can be drawn there.
    var isAligned: Bool {
        guard case .shared(_, let offset) = buffer.storage else { return false }
        return offset % 4 == 0 && buffer.stride % 4 == 0
    }

    /// - Parameters:
    ///   - rows: counted from the top of the part.
    ///   - damage: what the buffer does not show yet, in the picture's pixels; nil: everything. More may be written.
    /// - Returns: false when the memory cannot be written.
    func write(_ rows: Range<Int>, of renderer: Renderer, only damage: Region? = nil) -> Bool {
        guard case .shared(let memory, let offset) = buffer.storage, reserve(memory, Int(offset)) else { return false }
        let (stride, length) = (Int(buffer.stride), area.width * 4)
        var isWritten = false
        let isWritable = unsafe memory.write(
            offset: Int(offset) + rows.lowerBound * stride, count: (rows.count - 1) * stride + length
        ) { target in
            let band = area.rows(rows)
            /// Where a rectangle's first pixel belongs.
            func start(of part: IntRect) -> UnsafeMutableRawPointer {
                unsafe target + Int(part.minY - band.minY) * stride + Int(part.minX - band.minX) * 4
            }
            if let part = renderer.directPart?.intersection(band) {
                let hasAlpha = buffer.format.hasAlpha
                let start = unsafe PictureTarget(start(of: part), stride: stride, hasAlpha: hasAlpha)
                if !part.isEmpty { renderer.drawDirectly(part.minY..<part.maxY, to: start) }
                isWritten = true
            } else if let damage {
                isWritten = true
                damage.forEachRectangle { rect in
                    let part = rect.intersection(band)
                    guard !part.isEmpty else { return }
                    isWritten = unsafe copy(part, of: renderer, to: start(of: part)) && isWritten
                }
            } else {
                isWritten = unsafe copy(band, of: renderer, to: target)
            }
        }
        return isWritable && isWritten
    }

    /// Charges the client for the whole buffer.
    private func reserve(_ memory: SharedMemory, _ offset: Int) -> Bool {
        let (client, count) = (buffer.client, Int(buffer.stride) * Int(buffer.height))
        let limit = memory.reserve(
            offset: offset, count: count, within: client.transport.limits.allCopyBytes,
            for: client.credentials.trustedUser)
        guard let limit else { return true }
        client.server.log(
            .warning, "a copy of client \(client.description) fails: \(limit)", about: client.subject())
        return false
    }

    /// Copies a rectangle of the framebuffer to where its first pixel belongs.
    private func copy(_ part: IntRect, of renderer: Renderer, to target: UnsafeMutableRawPointer) -> Bool {
        let (targetStride, length) = (Int(buffer.stride), part.width * 4)
        var isCopied = false
        unsafe renderer.withFramebuffer { pixels, stride in
            let begin = Int(part.minY) * stride + Int(part.minX) * 4
            guard let base = pixels.baseAddress, begin + (part.height - 1) * stride + length <= pixels.count else {
                return
            }
            let start = unsafe base + begin
            isCopied = true
            if stride == length, targetStride == length {
                return unsafe target.copyMemory(from: start, byteCount: part.height * length)
            }
            for row in 0..<part.height {
                unsafe (target + row * targetStride).copyMemory(from: start + row * stride, byteCount: length)
            }
        }
        return isCopied
    }
}

extension IntRect {
    /// The part in these rows, counted from its top.
    fileprivate func rows(_ rows: Range<Int>) -> IntRect {
        IntRect(x: Int(minX), y: Int(minY) + rows.lowerBound, width: width, height: rows.count)
    }
}
