// What mullionctl reads in scenario files besides what the server does.

extension ScenarioSchema {
    /// By the names of the server's schemas: members that are added or replaced, and the names of those that files do not
    /// have. Other schemas are only mullionctl's.
    static let ownText = #"""
        {
            Scenario: { properties: {
                $schema: { type: "string", description: "this schema, for editors" },
            } },
            ScenarioStep: { properties: {
                compare: {
                    anyOf: [{ type: "string" }, { $ref: "#/components/schemas/ScenarioComparison" }],
                    description: "a PNG, relative to the file; or with terms",
                },
            } },
            ScenarioComparison: {
                properties: { golden: { type: "string", description: "a PNG, relative to the file" } },
                required: ["golden"], without: ["name", "png"],
            },
        }
        """#
}
