// What mullionctl reads in scenario files besides what the server does.

import Accessibility

extension ScenarioSchema {
    /// By the names of the server's schemas: members that are added or replaced, and the names of those that files do not
    /// have. Other schemas are only mullionctl's.
    static let ownText = #"""
        {
            Scenario: { properties: {
                variables: {
                    type: "object", propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_-]*$" },
                    description: "values of any type: in steps and server, ${NAME} is replaced",
                },
            } },
            ScenarioServer: { properties: {
                profile: { enum: ["tests", "none"], description: "whether programs look the same in every run" },
                accessibility: { type: "boolean", description: "whether programs describe their widgets" },
                x11: { type: "boolean", description: "whether X11 programs can run" },
            } },
            ScenarioStep: { properties: {
                start: {
                    anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Words" }, { $ref: "#/components/schemas/Start" }],
                    description: "a program, without waiting for it",
                },
                stop: {
                    anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Stop" }],
                    description: "end a program, by the name of its start, or wait for its end",
                },
                widget: { $ref: "#/components/schemas/WidgetInput" },
                repeat: { $ref: "#/components/schemas/Repetition" },
                include: {
                    anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Inclusion" }],
                    description: "the steps of a file, relative to this one",
                },
                wait: {
                    anyOf: [
                        { type: "string" }, { $ref: "#/components/schemas/ScenarioWait" },
                        { $ref: "#/components/schemas/WidgetWait" },
                    ],
                    description: "settled, idle, or a duration such as 16ms, 1.5s or 500us; or conditions",
                },
                expect: {
                    anyOf: [
                        { $ref: "#/components/schemas/Expectation" }, { $ref: "#/components/schemas/WidgetExpectations" },
                    ],
                },
                compare: {
                    anyOf: [{ type: "string" }, { $ref: "#/components/schemas/ScenarioComparison" }],
                    description: "a PNG, relative to the file; or with terms",
                },
            } },
            ScenarioComparison: {
                properties: { golden: { type: "string", description: "a PNG, relative to the file" } },
                required: ["golden"], without: ["name", "png"],
            },
            Words: { type: "array", items: { type: ["string", "number"] }, minItems: 1 },
            Start: {
                type: "object", additionalProperties: false, required: ["command"],
                properties: {
                    command: { anyOf: [{ type: "string" }, { $ref: "#/components/schemas/Words" }] },
                    name: { type: "string", description: "for stop; default: the program's file name" },
                    directory: { type: "string", description: "relative to the file" },
                    environment: {
                        type: "object", additionalProperties: { type: ["string", "number", "null"] },
                        description: "null removes a variable",
                    },
                },
            },
            Stop: {
                type: "object", additionalProperties: false, required: ["name"],
                properties: {
                    name: { type: "string" },
                    status: {
                        type: "integer", minimum: 0, maximum: 255,
                        description: "the exit status with which it ends by itself",
                    },
                    timeout: { type: "string", description: "a duration" },
                },
            },
            Repetition: {
                type: "object", additionalProperties: false, required: ["steps"],
                oneOf: [{ required: ["times"] }, { required: ["over"] }],
                properties: {
                    times: { type: "integer", minimum: 0, maximum: 10000 },
                    over: { type: "array" },
                    as: { type: "string", description: "the variable with the number, from 0, or the value of the list" },
                    steps: { type: "array", items: { $ref: "#/components/schemas/ScenarioStep" } },
                },
            },
            Inclusion: {
                type: "object", additionalProperties: false, required: ["file"],
                properties: {
                    file: { type: "string", description: "relative to this one" },
                    variables: { type: "object", description: "values of the file's variables" },
                },
            },
            WidgetInput: {
                type: "object", additionalProperties: false, minProperties: 1, maxProperties: 1,
                properties: {
                    click: { $ref: "#/components/schemas/Click" }, type: { $ref: "#/components/schemas/Typing" },
                    scroll: { $ref: "#/components/schemas/Scroll" },
                },
            },
            Click: \#(query("""
                button: { type: ["string", "integer"] }, duration: { type: "number", minimum: 0 },
                timeout: { type: "string" },
                """)),
            Typing: \#(query("""
                into: { type: "string", description: "the name of the widget or of its label" },
                text: { type: "string", description: "what is typed" }, seat: { type: "string" },
                timeout: { type: "string" },
                """, required: ["text"])),
            Scroll: \#(query("""
                dx: { type: "number" }, dy: { type: "number" },
                source: { enum: ["wheel", "finger", "continuous"] }, timeout: { type: "string" },
                """)),
            WidgetWait: {
                type: "object", additionalProperties: false, oneOf: [{ required: ["widget"] }, { required: ["text"] }],
                properties: {
                    widget: { $ref: "#/components/schemas/WaitWidget" },
                    text: { type: ["string", "number"], description: "a text that a visible widget shows" },
                    timeout: { type: "string", description: "a duration" },
                },
            },
            WaitWidget: \#(query("gone: { type: \"boolean\" }, ")),
            WidgetExpectations: {
                type: "object", additionalProperties: false, required: ["widget"],
                properties: {
                    widget: {
                        anyOf: [
                            { $ref: "#/components/schemas/ExpectedWidget" },
                            { type: "array", items: { $ref: "#/components/schemas/ExpectedWidget" }, minItems: 1 },
                        ],
                    },
                    within: { type: "string", description: "a duration" },
                },
            },
            ExpectedWidget: \#(query("exists: { type: \"boolean\" }, ")),
        }
        """#

    /// An object with the keys of `mullionctl find`, and states that are true or false.
    private static func query(_ others: String, required: [String] = []) -> String {
        let keys = WidgetQuery.keys.map { "\($0): { type: [\"string\", \"number\"] }, " }
        let states = AccessibleStates.allNames.map { "\($0): { type: \"boolean\" }, " }
        let needed = required.map { "\"\($0)\"" }.joined(separator: ", ")
        // What has the name of a key comes in its place.
        let members = keys.filter { key in !others.contains("\(key.prefix { $0 != ":" }): {") } + states
        return "{ type: \"object\", additionalProperties: false, required: [\(needed)], "
            + "properties: { \(members.joined()) \(others) } }"
    }
}
