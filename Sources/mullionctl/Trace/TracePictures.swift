// The pictures of a trace.

import JSON5

/// The screens and windows at the moments of a run, as evenly distributed as the limits allow.
struct TracePictures {
    /// The most moments, and the most bytes of their pictures as base64.
    private static let (most, mostBytes) = (240, 16 << 20)

    struct Moment {
        /// Seconds since the beginning.
        var time: Double
        /// Without the pictures.
        var content: JSON
        /// A PNG in base64 for each screen.
        var pictures: [String]
    }

    private(set) var moments: [Moment] = []
    private var bytes = 0
    /// The shortest time between two moments, in seconds.
    private(set) var interval = 0.1
    /// Whether some were dropped.
    private(set) var isThinned = false

    /// - Parameter capture: the answer to `GET /v1/capture`.
    mutating func add(_ capture: JSON, at time: Double) {
        let screens = capture["screens"].elements
        let moment = Moment(
            time: time, content: Self.content(capture), pictures: screens.map { $0["png"].string ?? "" })
        // Something has changed that is not seen, such as a covered window.
        if let last = moments.last, last.pictures == moment.pictures, last.content == moment.content { return }
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

    private static func content(_ capture: JSON) -> JSON {
        let screens = capture["screens"].elements.map {
            $0.only(["id", "name", "mode", "scale", "bounds", "toPixels"])
        }
        let windows = capture["windows"].elements.map {
            $0.only([
                "id", "application", "applicationName", "title", "screen", "screenName", "level", "frame", "visible",
                "hidden", "key", "alpha", "toPixels",
            ])
        }
        return .object([
            "keyWindow": capture["keyWindow"], "screens": .array(screens), "windows": .array(windows),
        ])
    }

    /// The moments, and each different picture once.
    var json: (moments: [JSON], pictures: [JSON]) {
        var places: [String: Int] = [:]
        var pictures: [JSON] = []
        // Two threads take them.
        let moments = moments.sorted { $0.time < $1.time }.map { moment in
            let screens = zip(moment.content["screens"].elements, moment.pictures).map { screen, picture in
                let place = places[picture] ?? pictures.count
                if place == pictures.count { pictures.append(.string(picture)) }
                places[picture] = place
                return screen.with("picture", .number(Double(place)))
            }
            return moment.content.with("screens", .array(screens)).with("at", .seconds(moment.time))
        }
        return (moments, pictures)
    }
}

extension JSON {
    /// The object with some of its members.
    func only(_ names: [String]) -> JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { names.contains($0.key) })
    }
}
