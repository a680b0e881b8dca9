// Mappings that are unmapped.

import CMullionLinux
import Glibc
import MullionSystem
import Synchronization
import Testing

@Suite struct MappedMemoryTests {
    private func isMapped(_ name: String) throws -> Bool {
        let file = try #require(unsafe fopen("/proc/self/maps", "r"))
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        while unsafe fgets(&line, Int32(line.count), file) != nil {
            let end = line.firstIndex(of: 0) ?? line.count
            let text = String(decoding: line[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
            if text.contains(name) { return true }
        }
        return false
    }

    @Test("a mapping of any size disappears, and nothing else does", arguments: [4096, 1 << 20, 40 << 20 + 4096])
    func unmap(size: Int) throws {
        let name = "unmapped-\(size)"
        let file = try AnonymousFile.make(name, size: size)
        // A page of its own file before and after it.
        let other = try AnonymousFile.make("kept-\(size)", size: 4096)
        let protection = PROT_READ | PROT_WRITE
        let space = try #require(unsafe mmap(nil, size + 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        for place in [0, size + 4096] {
            let page = unsafe mmap(space + place, 4096, protection, MAP_SHARED | MAP_FIXED, other.rawValue, 0)
            try #require(unsafe page == space + place)
        }
        let mapping = unsafe space + 4096
        try #require(unsafe mmap(mapping, size, protection, MAP_SHARED | MAP_FIXED, file.rawValue, 0) == mapping)
        unsafe memset(mapping, 1, size)
        #expect(try isMapped(name))
        let done = Done()
        unsafe MappedMemory.free(mapping, closing: nil, size: size) { done.set() }
        let end = MonotonicClock.seconds + 60
        while !done.isSet, MonotonicClock.seconds < end { sched_yield() }
        #expect(try !isMapped(name))
        unsafe space.storeBytes(of: 7, as: UInt8.self)
        #expect(unsafe (space + size + 4096).load(as: UInt8.self) == 7)
        unsafe munmap(space, 4096)
        unsafe munmap(space + size + 4096, 4096)
    }

    @Test(
        "a file with many pages is freed on another thread, however little of it was mapped",
        arguments: [(pages: 1, isApart: false), (pages: 256, isApart: true)])
    func large(pages: Int, isApart: Bool) throws {
        // As large as that, but for the pages all holes.
        let file = try AnonymousFile.make("large", size: 1 << 32)
        try DescriptorIO.write([UInt8](repeating: 1, count: pages * 4096), to: file.rawValue)
        let mapping = try #require(unsafe MappedMemory.map(file, size: 4096, PROT_READ))
        let (done, own) = (Done(), linux_thread())
        unsafe MappedMemory.free(mapping, closing: file.release(), size: 4096) {
            #expect((linux_thread() != own) == isApart)
            done.set()
        }
        let end = MonotonicClock.seconds + 60
        while !done.isSet, MonotonicClock.seconds < end { sched_yield() }
        #expect(done.isSet)
    }

    @Test("pages are present once they were touched, and no longer once they were removed", arguments: [1, 1500])
    func presence(pages: Int) throws {
        let size = pages * 4096
        let file = try AnonymousFile.make("pages", size: size)
        let mapping = try #require(unsafe MappedMemory.map(file, size: size, PROT_READ | PROT_WRITE))
        func isPresent(_ place: Int, _ count: Int) -> Bool {
            unsafe MappedMemory.isPresent(mapping + place, count: count)
        }
        #expect(!isPresent(0, size) && !isPresent(100, 1))
        unsafe memset(mapping, 1, size)
        #expect(isPresent(0, size) && isPresent(100, size - 100))
        // MADV_REMOVE, which Swift's Glibc does not import.
        try #require(unsafe madvise(mapping + size - 4096, 4096, 9) == 0)
        #expect(!isPresent(0, size) && !isPresent(size - 1, 1))
        #expect(pages == 1 || isPresent(0, size - 4096))
        var status = stat()
        try #require(unsafe fstat(file.rawValue, &status) == 0)
        #expect(Int(status.st_blocks) == (pages - 1) * 8, "looking allocates nothing")
        unsafe munmap(mapping, size)
    }

    private final class Done: Sendable {
        private let flag = Atomic(false)
        var isSet: Bool { flag.load(ordering: .acquiring) }
        func set() { flag.store(true, ordering: .releasing) }
    }
}
