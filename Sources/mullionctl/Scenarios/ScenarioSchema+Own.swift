// What mullionctl reads in scenario files besides what the server does.

import Accessibility
import JSON5
import MullionSystem

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
                    anyOf: [
                        { $ref: "#/components/schemas/Name" }, { $ref: "#/components/schemas/Words" },
                        { $ref: "#/components/schemas/Start" },
                    ],
                    description: "a program, without waiting for it",
                },
                stop: {
                    anyOf: [{ $ref: "#/components/schemas/Name" }, { $ref: "#/components/schemas/Stop" }],
                    description: "end a program, by the name of its start, or wait for its end",
                },
                widget: { $ref: "#/components/schemas/WidgetInput" },
                repeat: { $ref: "#/components/schemas/Repetition" },
                include: {
                    anyOf: [{ $ref: "#/components/schemas/Name" }, { $ref: "#/components/schemas/Inclusion" }],
                    description: "the steps of a file, relative to this one",
                },
                wait: {
                    anyOf: [
                        { $ref: "#/components/schemas/ScenarioWaitText" }, { $ref: "#/components/schemas/ScenarioWait" },
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
            Name: { type: "string", minLength: 1 },
            Words: {
                type: "array", items: { type: ["string", "number"] }, minItems: 1,
                prefixItems: [{ type: ["string", "number"], minLength: 1 }],
            },
            Start: {
                type: "object", additionalProperties: false, required: ["command"],
                properties: {
                    command: { anyOf: [{ $ref: "#/components/schemas/Name" }, { $ref: "#/components/schemas/Words" }] },
                    name: { type: "string", minLength: 1, description: "for stop; default: the program's file name" },
                    directory: { type: "string", minLength: 1, description: "relative to the file" },
                    environment: {
                        type: "object", additionalProperties: { type: ["string", "number", "null"] },
                        description: "null removes a variable",
                    },
                },
            },
            Stop: {
                type: "object", additionalProperties: false, required: ["name"],
                properties: {
                    name: { type: "string", minLength: 1 },
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
                    file: { type: "string", minLength: 1, description: "relative to this one" },
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
                button: { anyOf: [
                    { enum: \(list(ScenarioActionReader.buttons)) }, { type: "integer", minimum: 0, maximum: 4294967295 },
                ] },
                count: { type: "integer", minimum: 1, maximum: \(ScenarioActionReader.mostClicks) },
                modifiers: { type: "array", items: { enum: \(list(ScenarioActionReader.modifiers)) } },
                duration: { type: "number", minimum: 0, maximum: \(JSON.text(ScenarioActionReader.longestClick)) },
                timeout: { type: "string" },
                """)),
            Typing: \#(query("""
                into: { type: ["string", "number"], description: "the name of the widget or of its label" },
                text: { type: "string", description: "what is typed" }, seat: { type: "string" },
                timeout: { type: "string" },
                """, required: ["text"], conditions: ["into"])),
            Scroll: \#(query("""
                dx: { type: "number" }, dy: { type: "number" },
                modifiers: { type: "array", items: { enum: \(list(ScenarioActionReader.modifiers)) } },
                source: { enum: \(list(ScenarioActionReader.sources)) }, timeout: { type: "string" },
                """, alternatives: ["dx", "dy"])),
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
            ExpectedWidget: \#(expected),
        }
        """#

    /// A list of strings.
    private static func list(_ texts: [String]) -> String {
        "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
    }

    /// At least one of these members.
    private static func any(of names: [String]) -> String {
        "{ anyOf: [" + names.map { "{ required: [\"\($0)\"] }" }.joined(separator: ", ") + "] }"
    }

    /// An object with the keys of `mullionctl find`, and states that are true or false.
    /// - Parameters:
    ///   - conditions: others of its members that say which widget is meant.
    ///   - alternatives: members of which one is required.
    private static func query(
        _ others: String, required: [String] = [], conditions: [String] = [], alternatives: [String] = []
    ) -> String {
        // Members named like a key replace it.
        let keys = WidgetQuery.keys.filter { !others.has(text: "\($0): {") }
        let names = keys + AccessibleStates.allNames + conditions
        let needed = [names, alternatives].filter { !$0.isEmpty }.map(any)
        return object(keys, others, required: required, needed)
    }

    /// A widget that is expected: its text and its states do not say which one, unless there should be none.
    private static var expected: String {
        let keys = WidgetQuery.keys
        let identity = keys.filter { $0 != "text" }.map { "{ required: [\"\($0)\"] }" }
        let absence = "{ required: [\"exists\"], properties: { exists: { not: { const: true } } }, minProperties: 2 }"
        let needed = "{ anyOf: [\((identity + [absence]).joined(separator: ", "))] }"
        return object(keys, "exists: { type: \"boolean\" }, ", [needed])
    }

    private static func object(
        _ keys: [String], _ others: String, required: [String] = [], _ needed: [String]
    ) -> String {
        let members =
            keys.map { "\($0): { type: [\"string\", \"number\"] }, " }
            + AccessibleStates.allNames.map { "\($0): { type: \"boolean\" }, " }
        return "{ type: \"object\", additionalProperties: false, required: \(list(required)), "
            + "allOf: [\(needed.joined(separator: ", "))], properties: { \(members.joined()) \(others) } }"
    }
}
