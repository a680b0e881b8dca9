// Reads places, values and texts of objects, and has programs scroll to them.

extension AccessibilityBus {
    private static let component = "org.a11y.atspi.Component"
    private static let value = "org.a11y.atspi.Value"
    private static let text = "org.a11y.atspi.Text"
    /// ATSPI_COORD_TYPE_SCREEN and ATSPI_COORD_TYPE_WINDOW.
    private static let spaces: [UInt32] = [0, 1]
    /// The most characters read of a text.
    private static let textMaximum = 4096

    /// What to ask about an object.
    private struct Question {
        var object: Int
        var call: BusCall
        var use: (inout Accessible.Details, BusReply) -> Void
    }

    /// Reads the details of objects of a program.
    /// - Parameters:
    ///   - inWindows: also their places in the surfaces that the program uses.
    ///   - onlyPlaces: without descriptions, values and texts.
    package func readDetails(
        of objects: [Accessible], _ application: AccessibleApplication, inWindows: Bool = false,
        onlyPlaces: Bool = false, until deadline: Double
    ) throws(BusError) {
        // Programs log a failure for each question about an interface that an object lacks.
        let replies = try connection.calls(
            objects.map { call("GetInterfaces", $0, [], BusCall.Extract(values: 64, bytes: 64)) }, until: deadline)
        var details = objects.map { onlyPlaces ? $0.details ?? Accessible.Details() : Accessible.Details() }
        var questions: [Question] = []
        for (index, object) in objects.enumerated() {
            let interfaces = Self.strings(replies[index])
            if interfaces.contains(Self.component) {
                let main = Self.space(of: application)
                questions.append(
                    Question(object: index, call: extents(object, main)) { $0.onScreen = Self.extents($1) })
                if inWindows {
                    questions.append(
                        Question(object: index, call: extents(object, Self.spaces[1])) {
                            $0.inWindow = Self.extents($1)
                        })
                }
            }
            if !onlyPlaces { questions += contents(of: object, index, interfaces, application) }
        }
        let answers = try connection.calls(questions.map(\.call), until: deadline)
        for (question, answer) in zip(questions, answers) { question.use(&details[question.object], answer) }
        for (object, details) in zip(objects, details) { object.details = details }
        noteShortages(of: application)
    }

    private func contents(
        of object: Accessible, _ index: Int, _ interfaces: Set<String>, _ application: AccessibleApplication
    ) -> [Question] {
        var questions = [
            Question(object: index, call: property("Description", object)) {
                $0.description = $1.value?.string ?? ""
            }
        ]
        if object.role.hasValue, interfaces.contains(Self.value) {
            questions.append(
                Question(object: index, call: property("CurrentValue", of: Self.value, object)) {
                    $0.value = $1.value?.number
                })
        }
        if object.role.hasText || object.states.contains(.editable), interfaces.contains(Self.text) {
            // To the end: -1, which GTK 4 takes for nothing.
            let end = application.toolkit == "GTK" ? Int32.max : -1
            let question = call(
                "GetText", of: Self.text, object, [.int32(0), .int32(end)],
                BusCall.Extract(values: 1, bytes: 4 * Self.textMaximum))
            questions.append(
                Question(object: index, call: question) { details, reply in
                    details.text = (reply.value?.string).map { String($0.prefix(Self.textMaximum)) }
                })
        }
        return questions
    }

    private static func strings(_ reply: BusReply) -> Set<String> {
        Set(reply.value?.list?.compactMap(\.string) ?? [])
    }

    /// Has the program scroll an object into view.
    /// - Returns: whether it says that it does; many cannot.
    package func scroll(to object: Accessible, until deadline: Double) throws(BusError) -> Bool {
        // ATSPI_SCROLL_ANYWHERE
        let reply = try connection.call(call("ScrollTo", of: Self.component, object, [.uint32(6)]), until: deadline)
        return reply == .answer(.bool(true))
    }

    /// Asks a program which object is in front at a point of one of its windows.
    /// - Parameters:
    ///   - x: in the program's units, as places are.
    ///   - y: the same.
    /// - Returns: nil when it does not say.
    package func object(
        atX x: Int32, y: Int32, in toplevel: Accessible, _ application: AccessibleApplication, until deadline: Double
    ) throws(BusError) -> Accessible.ID? {
        let arguments: [BusCall.Argument] = [.int32(x), .int32(y), .uint32(Self.space(of: application))]
        let question = call("GetAccessibleAtPoint", of: Self.component, toplevel, arguments, .references(1))
        return try connection.call(question, until: deadline).value.flatMap(Self.reference)
    }

    /// GTK 4 knows no places on the screen, and warns when it is asked.
    private static func space(of application: AccessibleApplication) -> UInt32 {
        spaces[application.toolkit == "GTK" ? 1 : 0]
    }

    private func extents(_ object: Accessible, _ space: UInt32) -> BusCall {
        // A structure of four numbers.
        call("GetExtents", of: Self.component, object, [.uint32(space)], BusCall.Extract(values: 5, bytes: 0))
    }

    /// A place; nil when it is empty, or nowhere, as GTK 3 says by the smallest number.
    private static func extents(_ reply: BusReply) -> Accessible.Extents? {
        let range: ClosedRange<Int64> = -1_000_000...1_000_000
        let numbers = reply.value?.list?.compactMap(\.integer).filter(range.contains).map { Int32($0) } ?? []
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
        return Accessible.Extents(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
