// The code of the client library's articles, so that it is compiled. DocumentationTests compares it with the pages.

import MullionClient
import MullionDrawing

/// The examples, each with the names that its page takes as given.
@MainActor private enum ArticleExamples {
    // MARK: Concurrency.md

    static func runProgram() throws {
        let application = try Application(name: "clock")
        // Windows and callbacks.
        try application.run()
    }

    struct Clock {
        static func main() async throws {
            let application = try await Application(name: "clock")
            // Windows and callbacks.
            try await application.run()
        }
    }

    static func listen(_ application: Application, _ window: Window) {
        Task {
            for await event in window.events {
                if case .shouldClose = event { application.stop() }
            }
        }
    }

    static func load(_ window: Window) {
        Task {
            let image = await Task.detached { try? Image(contentsOfFile: "poster.png") }.value
            window.paint { canvas in
                if let image { canvas.draw(image, in: canvas.bounds, contentMode: .scaleAspectFit) }
            }
        }
    }

    // MARK: EventsAndResponders.md

    final class Slider: View {
        var value = 0.0 {
            didSet { setNeedsDisplay() }
        }

        override func touchesBegan(_ touches: [Touch], with event: Event) { touchesMoved(touches, with: event) }
        override func touchesMoved(_ touches: [Touch], with event: Event) {
            if let touch = touches.last { value = touch.location(in: self).x / bounds.width }
        }
        override func scrolled(_ scroll: Scroll, with event: Event) { value += scroll.delta.y / bounds.height }
    }

    static func recognize(_ photo: View) {
        photo.addGestureRecognizer(
            PinchGestureRecognizer { pinch in
                photo.transform = AffineTransform.scale(x: pinch.scale, y: pinch.scale)
            })
        photo.addGestureRecognizer(TapGestureRecognizer { tap in print(tap.location(in: photo)) })
    }

    // MARK: Drawing.md

    final class Meter: View {
        var level = 0.0 {
            didSet { if level != oldValue { setNeedsDisplay() } }
        }

        override func draw(_ pixels: PixelBuffer) {
            let canvas = Canvas(pixels)
            canvas.fill(bounds, radius: 4, Color(argb: 0xffe0_e0e4))
            canvas.fill(Rect(x: 0, y: 0, width: bounds.width * level, height: bounds.height), radius: 4, .black)
        }
    }

    static func animate(_ window: Window, _ ball: View) {
        _ = DisplayLink(window) { link in
            ball.center.x = 400 * link.timestamp.truncatingRemainder(dividingBy: 1)
        }
    }

    // MARK: TextInput.md

    final class NameField: View {
        var name = ""

        override var canBecomeFirstResponder: Bool { true }
        override var textContentType: TextContentType? { .name }
        override func insertText(_ text: String) { name += text }
        override func deleteBackward() { name = String(name.dropLast()) }
    }

    static func paste(_ application: Application, _ field: NameField) {
        Task {
            if let text = await application.pasteboard.loadString() { field.insertText(text) }
        }
    }
}
