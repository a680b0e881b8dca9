// seats

import JSON5

extension Command {
    static var seatCommand: Command {
        Command(
            name: "seats", arguments: "", summary: "list the seats with their screens and input",
            details: """
                A seat is one person's pointer, keyboard, touches and key window, on its own
                screens. The first seat has every screen that no configured seat lists.
                """,
            run: { (call) throws(CommandError) in
                try call.end()
                try call.show("GET", "/seats") { answer in
                    var table = Table("ID", "NAME", "SCREENS", "AWAITED", "KEY WINDOW", "POINTER", "FINGERS", "LAYOUT")
                    for seat in answer["seats"].elements {
                        let pointer = seat["pointer"]
                        table.add(
                            seat["id"].text, seat["name"].text, names(seat["screens"]), names(seat["awaitedScreens"]),
                            seat["keyWindow"] == .null ? "none" : seat["keyWindow"].text,
                            pointer == .null
                                ? "" : "\(pointer["screenName"].text) \(pointer["x"].text),\(pointer["y"].text)",
                            seat["touches"].text, seat["layout"].text)
                    }
                    return table.text(orWhenEmpty: "no seats")
                }
            })
    }

    private static func names(_ list: JSON) -> String { list.elements.map(\.text).joined(separator: " ") }
}
