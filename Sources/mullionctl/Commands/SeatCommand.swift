// seats

import JSON5
import MullionControl

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
                try call.show(.getSeats()) { answer in
                    var table = Table("ID", "NAME", "SCREENS", "AWAITED", "KEY WINDOW", "POINTER", "FINGERS", "LAYOUT")
                    for seat in answer.seats {
                        table.add(
                            "\(seat.id)", seat.name, seat.screens.joined(separator: " "),
                            seat.awaitedScreens.joined(separator: " "), seat.keyWindow.map { "\($0)" } ?? "none",
                            seat.pointer.map { "\($0.screenName) \(JSON.text($0.x)),\(JSON.text($0.y))" } ?? "",
                            "\(seat.touches)", seat.layout)
                    }
                    return table.text(orWhenEmpty: "no seats")
                }
            })
    }
}
