// Binds processes to one processor.

import Glibc

/// Binds this process, and those it starts from now on, to one of the processors it may use.
@safe struct OneProcessor {
    private typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32

    private let set: Affinity
    /// A bit per processor, in the kernel's format.
    private var before = [UInt8](repeating: 0, count: 128)

    init() throws {
        // These are GNU extensions that Glibc's module hides.
        guard let get = unsafe Self.function("sched_getaffinity"), let set = unsafe Self.function("sched_setaffinity")
        else {
            throw MeasurementError("this C library does not support CPU affinity")
        }
        unsafe self.set = unsafe set
        guard unsafe get(0, before.count, &before) == 0, let byte = before.firstIndex(where: { $0 != 0 }) else {
            throw MeasurementError.system("sched_getaffinity")
        }
        var one = [UInt8](repeating: 0, count: before.count)
        one[byte] = before[byte] & (~before[byte] &+ 1)
        guard unsafe set(0, one.count, &one) == 0 else { throw MeasurementError.system("sched_setaffinity") }
    }

    /// Restores the previous affinity.
    func restore() {
        var before = before
        _ = unsafe set(0, before.count, &before)
    }

    private static func function(_ name: String) -> Affinity? {
        unsafe dlsym(nil, name).map { unsafe unsafeBitCast($0, to: Affinity.self) }
    }
}
