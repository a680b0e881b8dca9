// Names of widgets that have none themselves.

extension AccessibilityBus {
    /// ATSPI_RELATION_LABELLED_BY
    private static let labelledBy: Int64 = 2

    /// Gives fields without a name that of their labels, which GTK 3 describes as relations only.
    func readLabels(of applications: [AccessibleApplication], until deadline: Double) throws(BusError) {
        let fields = applications.map { $0.root.all.filter { $0.name.isEmpty && $0.role.isField } }
        let relations = try connection.calls(
            fields.joined().map { call("GetRelationSet", $0, [], BusCall.Extract(values: 64, bytes: 1 << 10)) },
            until: deadline)
        var rest = relations[...]
        for (application, fields) in zip(applications, fields) where !fields.isEmpty {
            var names: [Accessible.ID: String] = [:]
            for object in application.root.all { names[object.id] = object.name }
            for (field, reply) in zip(fields, rest) {
                field.name = Self.labels(reply).compactMap { names[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
            }
            rest = rest.dropFirst(fields.count)
            noteShortages(of: application)
        }
    }

    /// Gives widgets without a name their description, as ARIA does: a button with a picture has a tooltip.
    func nameByDescription(_ applications: [AccessibleApplication], until deadline: Double) throws(BusError) {
        let nameless = applications.map { $0.root.all.filter { $0.name.isEmpty && $0.role.isNamedByDescription } }
        let replies = try connection.calls(
            nameless.joined().map { property("Description", $0) }, until: deadline)
        for (object, reply) in zip(nameless.joined(), replies) { object.name = reply.value?.string ?? "" }
        for (application, objects) in zip(applications, nameless) where !objects.isEmpty {
            noteShortages(of: application)
        }
    }

    private static func labels(_ reply: BusReply) -> [Accessible.ID] {
        let relations = reply.value?.list?.compactMap(\.list) ?? []
        return relations.filter { $0.count == 2 && $0[0].integer == labelledBy }
            .flatMap { $0[1].list?.compactMap(reference) ?? [] }
    }
}
