// Determines whether, and how soon, programs have read an event.

import EventLoop
import WindowModel

/// Pings the receivers of an event and collects their answers; a program answers after handling all earlier events.
/// Nothing waits for it: the caller reads the answers in `onDone`.
package final class ReadReceipts {
    /// How long a program may take, in microseconds of real time.
    static let patience: UInt64 = 5_000_000

    package enum Answer: Equatable {
        /// This many microseconds after the event was injected, in real time.
        case read(UInt64)
        /// With the reason.
        case unread(String)
    }

    private struct Question {
        let application: Application.ID
        let serial: UInt32
        var answer: Answer?
    }

    private unowned let server: DisplayServer
    private let askedAt: UInt64
    private var questions: [Question] = []
    private var timer: Timer?
    /// Called once, when all have answered or the time is up; not if that is already the case.
    package var onDone: (() -> Void)?

    /// Sends the pings now: the event's consequences have been queued before them.
    init(_ server: DisplayServer, of receivers: [Application.ID]) {
        self.server = server
        askedAt = server.loop.now
        questions = receivers.map { application in
            guard let client = server.client(application) else {
                return Question(application: application, serial: 0, answer: .unread("it is internal to the server"))
            }
            guard let serial = server.settler.ask(client) else {
                return Question(
                    application: application, serial: 0,
                    answer: .unread("it has bound neither mullion_application_v1 nor xdg_wm_base and cannot be pinged"))
            }
            return Question(application: application, serial: serial, answer: nil)
        }
        guard !isDone else { return }
        timer = Timer(server.loop) { [unowned self] _, _ in giveUp() }
        timer?.arm(at: askedAt + Self.patience)
        server.settler.add(self)
    }

    package var isDone: Bool { questions.allSatisfy { $0.answer != nil } }

    /// In the order of the receivers.
    package var answers: [(application: Application.ID, answer: Answer)] {
        questions.map { ($0.application, $0.answer ?? .unread("its answer was not awaited")) }
    }

    /// Called when that client has sent a pong.
    func didAnswer(_ application: Application.ID, _ serial: UInt32) {
        answer(.read(server.loop.now - askedAt)) { $0.application == application && $0.serial == serial }
    }

    func clientDidClose(_ application: Application.ID) {
        answer(.unread("it has disconnected")) { $0.application == application }
    }

    private func giveUp() {
        for question in questions where question.answer == nil {
            let unread = server.client(question.application).map {
                !$0.transport.isFlushed || $0.transport.unreadBytes > 0
            }
            answer(.unread(unread == true ? "it does not read its events" : "it does not answer a ping")) {
                $0.application == question.application
            }
        }
    }

    private func answer(_ answer: Answer, where predicate: (Question) -> Bool) {
        guard !isDone else { return }
        for index in questions.indices where questions[index].answer == nil && predicate(questions[index]) {
            questions[index].answer = answer
        }
        guard isDone else { return }
        timer?.cancel()
        server.settler.remove(self)
        onDone?()
        onDone = nil
    }
}
