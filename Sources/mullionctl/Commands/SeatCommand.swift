// seats

extension Command {
    static var seatCommand: Command {
        Command(
            name: "seats", arguments: "", summary: "list the seats: screens, key window, pointer, fingers",
            details: """
                A seat is one person's pointer, keyboard, fingers and key window, on screens of its own. The first one
                has every screen that no other seat of the configuration names.
                """,
            run: { (call) throws(Failure) in
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
