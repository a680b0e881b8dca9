// keyboard

import JSON5

extension Command {
    static var keyboardCommand: Command {
        Command(
            name: "keyboard", arguments: "[KEY=VALUE]…", summary: "show or change the keyboard's layout",
            details: """
                Names are XKB's. Running programs receive the new layout immediately. Keys:
                  layout=us,de      one or several layouts, without variants unless given
                  variant=intl      a variant of each layout
                  options=caps:none,compose:ralt
                  model=pc105, rules=evdev
                  application=NAME  change the layout of this application only
                  rate=N            repetitions per second of a held key; 0 for none
                  delay=N           milliseconds before the first repetition
                  seat=NAME         a seat's keyboard, which then has its own settings
                """,
            run: { (call) throws(CommandError) in
                var body: [String: JSON] = [:]
                var repetition: [String: JSON] = [:]
                var path = "/keyboard"
                let known = ["layout", "variant", "options", "model", "rules", "application", "rate", "delay", "seat"]
                for word in call.words() {
                    let (key, value) = Values.pair(word)
                    guard let value, known.contains(key) else { throw Values.unknown(key, known) }
                    if key == "seat" {
                        path = "/keyboard?seat=\(ControlClient.escape(value))"
                    } else if key == "rate" || key == "delay" {
                        repetition[key] = .number(try Values.number(value, key))
                    } else {
                        body[key] = .string(value)
                    }
                }
                if !repetition.isEmpty { body["repeat"] = .object(repetition) }
                try call.end()
                let changes = !body.isEmpty
                try call.show(changes ? "PATCH" : "GET", path, changes ? .object(body) : nil) { text($0) }
            })
    }

    private static func text(_ keyboard: JSON) -> String {
        func names(_ layout: JSON) -> String {
            let known = ["layout", "variant", "options", "model", "rules"]
            return known.filter { !layout[$0].text.isEmpty }.map { "\($0)=\(layout[$0].text)" }.joined(separator: " ")
        }
        var lines = [
            "\(names(keyboard)) rate=\(keyboard["repeat"]["rate"].text) "
                + "delay=\(keyboard["repeat"]["delay"].text)"
        ]
        if case .object(let applications) = keyboard["applications"] {
            for (name, layout) in applications.sorted(by: { $0.key < $1.key }) {
                lines.append("application=\(JSON.string(name).text) \(names(layout))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
