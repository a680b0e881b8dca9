// Selections between X11 and Wayland programs: types, text, and content in pieces.

import Testing
import X11

@Suite struct TransferTests {
    @Test("types: an X11 program's targets, and back")
    func types() {
        let utf8 = SelectionTypes.utf8
        #expect(
            SelectionTypes.types(ofTargets: [
                "TARGETS", "TIMESTAMP", "UTF8_STRING", "STRING", "text/html", "SAVE_TARGETS",
            ])
                == [utf8, "text/plain", "text/html"])
        #expect(SelectionTypes.types(ofTargets: ["STRING"]) == [utf8, "text/plain"])
        #expect(SelectionTypes.types(ofTargets: ["PIXMAP", "image/png"]) == ["image/png"])
        #expect(SelectionTypes.types(ofTargets: []) == [])
        // The server would disconnect the manager.
        let long = (0..<256).map { "text/\($0)" + String(repeating: "x", count: 240) }
        let bounded = SelectionTypes.types(ofTargets: long)
        #expect(bounded.first == long.first && bounded.reduce(0) { $0 + $1.utf8.count } <= 16_384)
        #expect(SelectionTypes.target(for: utf8, among: ["STRING", "UTF8_STRING"])?.name == "UTF8_STRING")
        #expect(SelectionTypes.target(for: "text/plain", among: ["STRING"])?.conversion == .latin1ToUTF8)
        #expect(SelectionTypes.target(for: "image/png", among: ["UTF8_STRING"]) == nil)
        #expect(SelectionTypes.target(for: "TARGETS", among: ["TARGETS"]) == nil)
        #expect(
            SelectionTypes.targets(ofTypes: ["text/plain", "text/html"])
                == ["UTF8_STRING", "STRING", "TEXT", utf8, "text/plain", "text/html"])
        #expect(SelectionTypes.targets(ofTypes: ["image/png", "nonsense"]) == ["image/png"])
        #expect(SelectionTypes.type(for: "STRING", among: [utf8])?.conversion == .utf8ToLatin1)
        #expect(SelectionTypes.type(for: "UTF8_STRING", among: ["text/plain"])?.name == "text/plain")
        #expect(SelectionTypes.type(for: "UTF8_STRING", among: ["image/png"]) == nil)
        let many = (0..<10_000).map { "x/\($0)" }
        #expect(SelectionTypes.types(ofTargets: many).count == SelectionTypes.maximum)
        #expect(SelectionTypes.targets(ofTypes: many).count == SelectionTypes.maximum)
    }

    @Test("text is converted whatever the pieces it comes in")
    func conversion() {
        let text = "Größe: 漢字 😀 €"
        for size in 1...8 {
            var conversion = TextConversion(.utf8ToLatin1)
            let bytes = Array(text.utf8)
            var result: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                result += conversion.convert(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            #expect(String(String.UnicodeScalarView(result.map { Unicode.Scalar($0) })) == "Größe: ?? ? ?")
        }
        var conversion = TextConversion(.latin1ToUTF8)
        #expect(String(validating: conversion.convert(Array(0...255)), as: UTF8.self)?.unicodeScalars.count == 256)
        var broken = TextConversion(.utf8ToLatin1)
        #expect(broken.convert([0xe6, 0x61, 0xff, 0x80]) == Array("?a??".utf8))
    }

    /// An X11 program's property, and a Wayland program that reads what comes.
    private struct Reader {
        var transfer = IncomingTransfer()
        var property: [UInt8]?
        var isINCR = false
        var received: [UInt8] = []
        var isFinished = false
        /// Whether the last piece was read and deleted.
        var wantsNext: Bool { property == nil && !isFinished }

        mutating func perform(_ action: IncomingTransfer.Action) {
            switch action {
            case .read(let offset):
                guard let value = property else { return perform(transfer.didRead(nil, isINCR: false)) }
                let rest = value.dropFirst(offset * 4)
                let part = Array(rest.prefix(IncomingTransfer.pieceWords * 4))
                let after = rest.count - part.count
                if after == 0 { property = nil }
                perform(
                    transfer.didRead(
                        XProperty(type: .string, format: 8, bytes: part, bytesAfter: after), isINCR: isINCR))
            case .write(let bytes):
                #expect(bytes.count <= IncomingTransfer.pieceWords * 4)
                received += bytes
                perform(transfer.written())
            case .finish: isFinished = true
            case .wait: break
            }
        }
    }

    @Test("from an X11 program in one piece, of any size", arguments: [0, 1, 3, 65_535, 65_536, 65_537, 1_000_001])
    func whole(size: Int) {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var reader = Reader()
        reader.property = content
        reader.perform(reader.transfer.answered(hasProperty: true))
        #expect(reader.isFinished && reader.received == content)
    }

    @Test("from an X11 program in pieces")
    func incremental() {
        var reader = Reader()
        reader.property = [0, 0, 1, 0]
        reader.isINCR = true
        reader.perform(reader.transfer.answered(hasProperty: true))
        reader.isINCR = false
        var expected: [UInt8] = []
        for size in [5, 70_000, 1, 65_536, 200_000] {
            #expect(reader.wantsNext)
            let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
            expected += piece
            reader.property = piece
            reader.perform(reader.transfer.propertyChanged())
        }
        #expect(!reader.isFinished)
        reader.property = []
        reader.perform(reader.transfer.propertyChanged())
        #expect(reader.isFinished && reader.received == expected)
    }

    @Test("a refusal, a property that vanishes, and answers that nobody expects end or change nothing")
    func refusals() {
        var refused = IncomingTransfer()
        #expect(refused.answered(hasProperty: false) == .finish)
        #expect(refused.answered(hasProperty: true) == .wait)
        var vanished = IncomingTransfer()
        #expect(vanished.answered(hasProperty: true) == .read(offset: 0))
        #expect(vanished.propertyChanged() == .wait)
        #expect(vanished.written() == .wait)
        #expect(vanished.didRead(nil, isINCR: false) == .finish)
        #expect(vanished.didRead(nil, isINCR: false) == .wait)
    }

    @Test("a piece that comes while the last one is written is read after it")
    func early() {
        var transfer = IncomingTransfer()
        let piece = XProperty(type: .string, format: 8, bytes: [1, 2, 3])
        #expect(transfer.answered(hasProperty: true) == .read(offset: 0))
        #expect(transfer.didRead(XProperty(type: .integer, format: 32, bytes: [9, 0, 0, 0]), isINCR: true) == .wait)
        #expect(transfer.propertyChanged() == .read(offset: 0))
        #expect(transfer.didRead(piece, isINCR: false) == .write([1, 2, 3]))
        #expect(transfer.propertyChanged() == .wait)
        #expect(transfer.written() == .read(offset: 0))
    }

    @Test(
        "to an X11 program: short content at once, long content in pieces", arguments: [0, 1, 65_535, 65_536, 300_000])
    func outgoing(size: Int) {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var transfer = OutgoingTransfer()
        var received: [UInt8] = []
        var (isAnnounced, isFinished, rest) = (false, false, content[...])
        func perform(_ action: OutgoingTransfer.Action?) {
            switch action {
            case .answer(let bytes):
                received = bytes
                isFinished = true
            case .announce(let size):
                #expect(size <= content.count)
                isAnnounced = true
            case .put(let bytes):
                #expect(isAnnounced && bytes.count <= OutgoingTransfer.piece)
                received += bytes
            case .finish: isFinished = true
            case nil: break
            }
        }
        for round in 0..<10_000 where !isFinished {
            if transfer.wantsInput {
                let piece = Array(rest.prefix(10_007))
                rest = rest.dropFirst(piece.count)
                perform(piece.isEmpty ? transfer.end() : transfer.add(piece))
            }
            if isAnnounced, round % 3 == 0 { perform(transfer.propertyDeleted()) }
        }
        #expect(isFinished && received == content)
        #expect(isAnnounced == (size >= OutgoingTransfer.piece))
        #expect(!transfer.wantsInput)
    }
}
