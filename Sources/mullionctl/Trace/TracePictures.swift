// The pictures of a trace.

import ControlProtocol
import JSON5
import MullionControl

/// The screens and windows at the moments of a run, as evenly distributed as the limits allow.
struct TracePictures {
    /// The most moments, and the most bytes of their pictures as base64.
    private static let (most, mostBytes) = (240, 16 << 20)

    private struct Moment {
        /// Its pictures are places in `pictures`.
        var content: API.TraceMoment
        /// A PNG in base64 for each screen.
        var pictures: [String]
    }

    private var moments: [Moment] = []
    private var bytes = 0
    /// The shortest time between two moments, in seconds.
    private(set) var interval = 0.1
    /// Whether some were dropped.
    private(set) var isThinned = false

    mutating func add(_ capture: API.Capture, at time: Double) {
        let moment = Moment(
            content: API.TraceMoment(capture, at: time.toMicroseconds),
            pictures: capture.screens.map { $0.png?.text ?? "" })
        // Something has changed that is not seen, such as a covered window.
        if let last = moments.last, last.pictures == moment.pictures, last.content.isLike(moment.content) { return }
        moments.append(moment)
        bytes += Self.bytes(moment)
        while moments.count > 2, moments.count > Self.most || bytes > Self.mostBytes { thin() }
    }

    /// Drops every second moment, but neither the first nor the last.
    private mutating func thin() {
        let last = moments.count - 1
        moments = moments.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
        bytes = moments.reduce(0) { $0 + Self.bytes($1) }
        interval = min(interval * 2, 5)
        isThinned = true
    }

    private static func bytes(_ moment: Moment) -> Int { moment.pictures.reduce(0) { $0 + $1.utf8.count } }

    /// The moments, and each different picture once.
    var all: (moments: [API.TraceMoment], pictures: [String]) {
        var places: [String: Int] = [:]
        var pictures: [String] = []
        // Two threads take them.
        let moments = moments.sorted { $0.content.at < $1.content.at }.map { moment in
            var content = moment.content
            for (index, picture) in moment.pictures.enumerated() {
                let place = places[picture] ?? pictures.count
                if place == pictures.count { pictures.append(picture) }
                places[picture] = place
                content.screens[index].picture = place
            }
            return content
        }
        return (moments, pictures)
    }
}

extension API.TraceMoment {
    fileprivate init(_ capture: API.Capture, at time: Double) {
        self.init(
            at: time, keyWindow: capture.keyWindow,
            screens: capture.screens.map { screen in
                API.TraceScreen(
                    id: screen.id, name: screen.name, mode: screen.mode, scale: screen.scale, bounds: screen.bounds,
                    toPixels: screen.toPixels, picture: 0)
            },
            windows: capture.windows.map { window in
                API.TraceWindow(
                    id: window.id, application: window.application, applicationName: window.applicationName,
                    title: window.title, screen: window.screen, screenName: window.screenName, level: window.level,
                    frame: window.frame, visible: window.visible, hidden: window.hidden, key: window.key,
                    alpha: window.alpha, toPixels: window.toPixels)
            })
    }

    /// Whether only the time differs.
    fileprivate func isLike(_ other: API.TraceMoment) -> Bool {
        keyWindow == other.keyWindow && screens == other.screens && windows == other.windows
    }
}

extension JSON {
    /// The object with some of its members.
    func only(_ names: [String]) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) })
    }
}
