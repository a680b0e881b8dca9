// keyboard

import ControlProtocol
import JSON5
import MullionControl

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
                var seat: String?
                let known = ["layout", "variant", "options", "model", "rules", "application", "rate", "delay", "seat"]
                for word in call.words() {
                    let (key, value) = Values.pair(word)
                    guard let value, known.contains(key) else { throw Values.unknown(key, known) }
                    if key == "seat" {
                        seat = value
                    } else if key == "rate" || key == "delay" {
                        repetition[key] = .number(try Values.number(value, key))
                    } else {
                        body[key] = .string(value)
                    }
                }
                if !repetition.isEmpty { body["repeat"] = .object(repetition) }
                try call.end()
                let request: ControlRequest =
                    body.isEmpty ? .getKeyboard(seat: seat) : .patchKeyboard(JSON.object(body), seat: seat)
                try call.show(request) { text($0) }
            })
    }

    private static func text(_ keyboard: API.Keyboard) -> String {
        func names(_ layout: API.KeyboardLayout) -> String {
            let all = [
                ("layout", layout.layout), ("variant", layout.variant), ("options", layout.options),
                ("model", layout.model), ("rules", layout.rules),
            ]
            return all.filter { !$0.1.isEmpty }.map { "\($0)=\($1.printable())" }.joined(separator: " ")
        }
        let own = API.KeyboardLayout(
            rules: keyboard.rules, model: keyboard.model, layout: keyboard.layout, variant: keyboard.variant,
            options: keyboard.options)
        var lines = ["\(names(own)) rate=\(keyboard.repeat.rate) delay=\(keyboard.repeat.delay)"]
        for (name, layout) in keyboard.applications.sorted(by: { $0.key < $1.key }) {
            lines.append("application=\(name.printable()) \(names(layout))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
