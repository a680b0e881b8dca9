// Runs a reader of bytes on many inputs, and on those that once failed.

import Glibc

/// The results of one run.
public struct FuzzReport {
    public let seed: UInt64
    public var accepted = 0
    public var refused = 0
}

/// Runs a reader on every case of Tests/Fuzz/`name`, then on `count` new inputs, a number that MULLION_FUZZ overrides;
/// MULLION_SEED selects the inputs. An input that ends the process is left in a file of the temporary folder, to be
/// added as a case.
///
/// - Parameters:
///   - next: makes an input.
///   - read: passes it to the reader, and returns whether it was accepted. An error that it throws is a fault of the
///   reader.
/// - Throws: `FixtureError` that names the file of an input for which `read` threw or took more than two seconds of
///   processor time.
public func fuzz(
    _ name: String, count: Int, next: (inout SeededRandom) throws -> [UInt8], read: ([UInt8]) throws -> Bool
) throws -> FuzzReport {
    let count = environmentValue("MULLION_FUZZ").flatMap { Int($0) } ?? count
    var random = SeededRandom()
    var report = FuzzReport(seed: random.seed)
    for file in try fuzzCases(name) { _ = try judge(file.bytes, file.path, read) }
    let current = CurrentInput(name)
    for number in 0..<count {
        let input = try next(&random)
        try current.write(input)
        do {
            if try judge(input, current.path, read) { report.accepted += 1 } else { report.refused += 1 }
        } catch {
            current.keep()
            throw FixtureError("seed \(report.seed), input \(number): \(error)")
        }
    }
    return report
}

/// The same with mutated inputs of a corpus; `words` are words with a meaning for the reader.
public func fuzz(
    _ name: String, count: Int, corpus: [[UInt8]], words: [String] = [], read: ([UInt8]) throws -> Bool
) throws -> FuzzReport {
    let mutator = ByteMutator(corpus: corpus, words: words)
    return try fuzz(name, count: count, next: { mutator.next(&$0) }, read: read)
}

private func judge(_ input: [UInt8], _ path: String, _ read: ([UInt8]) throws -> Bool) throws -> Bool {
    let start = threadTime()
    do {
        let accepted = try read(input)
        let time = threadTime() - start
        guard time < 2 else { throw FixtureError("\(path): reading it took \(time) s") }
        return accepted
    } catch let error as FixtureError {
        throw error
    } catch {
        throw FixtureError("\(path): \(error)")
    }
}

/// Processor time of this thread, in seconds.
private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The inputs that once failed.
private func fuzzCases(_ name: String) throws -> [(path: String, bytes: [UInt8])] {
    let root = String(#filePath.dropLast("Support/Fuzzing.swift".count)) + "Fuzz/" + name
    guard let folder = opendir(root) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return try names.sorted().map { name in
        guard let file = fopen("\(root)/\(name)", "r") else { throw FixtureError("\(name): \(errorText())") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return ("\(root)/\(name)", bytes)
    }
}

/// The input that is being read, in a file that outlives the process.
private final class CurrentInput {
    let path: String
    private let file: Int32
    private var size = 0
    private var isKept = false

    init(_ name: String) {
        path = (environmentValue("TMPDIR") ?? "/tmp") + "/mullion-fuzz-\(name)-\(getpid())"
        file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }

    deinit {
        close(file)
        if !isKept { unlink(path) }
    }

    func write(_ input: [UInt8]) throws {
        guard pwrite(file, input, input.count, 0) == input.count else { throw FixtureError("\(path): \(errorText())") }
        if input.count < size, ftruncate(file, off_t(input.count)) != 0 {
            throw FixtureError("\(path): \(errorText())")
        }
        size = input.count
    }

    func keep() { isKept = true }
}
