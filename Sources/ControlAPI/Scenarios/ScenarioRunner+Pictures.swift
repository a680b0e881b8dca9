// The pictures of a scenario: screenshots and comparisons.

import Compositor
import DisplayServer
import EventLoop
import WindowModel

extension ScenarioRunner {
    /// Draws what a picture shows now, and runs `work` on it on the worker.
    func draw<Result: Sendable>(
        _ picture: Scenario.Picture, _ work: @escaping @Sendable (Bitmap, ResolvedTerms) throws -> Result,
        _ body: @escaping (Result) -> Void
    ) throws {
        let done = server.loop.completion(of: Swift.Result<Result, PictureError>.self) { [weak self] result in
            // It may have been cancelled in the meantime.
            guard let self, !isEnded else { return }
            switch result {
            case .success(let value): body(value)
            case .failure(let failure):
                fail(Mismatch(place: "picture \(picture.name)", expected: "to be possible", seen: failure.reason))
            }
        }
        let finish = { [worker] (terms: ResolvedTerms, bitmap: @escaping @Sendable () throws -> Bitmap) in
            worker.perform {
                do {
                    done(.success(try work(try bitmap(), terms)))
                } catch {
                    done(.failure(PictureError(reason: (error as? Problem)?.detail ?? "\(error)")))
                }
            }
        }
        if let reference = picture.window {
            let window = try window(of: reference)
            let terms = try picture.terms.resolvedAlone()
            return server.captures.capture(window.id, withPopups: false) { bitmap in
                guard let bitmap else {
                    let reason = "the window was closed, or is empty or too large"
                    return done(.failure(PictureError(reason: reason)))
                }
                finish(terms) { bitmap }
            }
        }
        let screens =
            try picture.screen.map { [try server.screen($0.text)] }
            ?? server.model.screens.compactMap { server.model.screen($0) }
        guard !screens.isEmpty else {
            throw ModelError(kind: .notAllowed, rule: .s2, message: "no screen is connected")
        }
        let layout = PictureLayout(screens, picture.screen == nil ? .joined : .native)
        let terms = try picture.terms.resolved(in: server, layout)
        server.capture(screens.map(\.id)) { bitmaps in
            let pictures = bitmaps.map { Picture(screen: $0, bitmap: $1, place: layout[$0]) }
            finish(terms) { try Picture.joined(pictures) }
        }
    }

    /// The only window with this id or title.
    private func window(of reference: String) throws(Mismatch) -> Window {
        let all = server.windows(named: [reference])[reference] ?? []
        guard all.count == 1, let window = all.first else {
            throw Mismatch(
                place: "window \(reference)", expected: "one with this id or title",
                seen: all.isEmpty ? "none" : "\(all.count) of them")
        }
        return window
    }

    private struct PictureError: Error { var reason: String }

    /// The result of a comparison, with the pictures that show the difference.
    private struct Difference: Sendable {
        var mismatch: Mismatch
        var pictures: [(suffix: String, png: [UInt8])]
    }

    func compare(_ picture: Scenario.Picture) throws {
        let (golden, name) = (picture.golden, picture.name)
        try draw(picture) { bitmap, terms in
            try Self.difference(bitmap, golden, terms, name)
        } _: { [unowned self] difference in
            guard let difference else { return stepDidEnd() }
            for (suffix, png) in difference.pictures { show(name + suffix, png) }
            fail(difference.mismatch)
        }
    }

    /// Nil when the picture is as expected.
    private static nonisolated func difference(
        _ picture: Bitmap, _ golden: [UInt8], _ terms: ResolvedTerms, _ name: String
    ) throws -> Difference? {
        let expected = try PNG.decode(golden, straightAlpha: picture.hasAlpha)
        let cropped = try terms.crop.apply(to: picture)
        let seen = cropped.straight
        let comparison = seen.compare(to: expected, terms.options)
        guard comparison?.isEqual != true else { return nil }
        var pictures = [(suffix: ".seen", png: try PNG.encode(cropped))]
        if let diff = seen.differences(from: expected, terms.options) {
            pictures.append((".diff", try PNG.encode(diff)))
        }
        if let both = seen.sideBySide(with: expected, terms.options) {
            pictures.append((".side-by-side", try PNG.encode(both)))
        }
        var mismatch = Mismatch(
            place: "picture \(name)", expected: "\(expected.width)x\(expected.height) pixels",
            seen: "\(seen.width)x\(seen.height)")
        if let comparison, let first = comparison.first {
            let allowed = comparison.allowed > 0 ? ", \(comparison.allowed) may" : ""
            mismatch.place = "picture \(name): pixel \(first.x),\(first.y)"
            mismatch.expected = first.expected.hex
            mismatch.seen =
                "\(first.seen.hex); \(comparison.differing) pixels differ\(allowed), by \(comparison.greatest) at most"
        }
        return Difference(mismatch: mismatch, pictures: pictures)
    }
}
