// Reads the trees of programs, level by level: a level costs one round trip, whatever its size.

extension AccessibilityBus {
    /// A program's tree while it is read.
    private struct Growth {
        let application: AccessibleApplication
        var level: [Accessible]
        var known: Set<Accessible.ID>
    }

    /// Reads everything above a depth anew.
    func read(_ applications: [AccessibleApplication], depth: Int, until deadline: Double) throws(BusError) {
        for application in applications {
            application.clear()
            connection.allow(limits.bytes, for: application.bus)
        }
        defer { for application in applications { application.simplifyNames() } }
        var growths = applications.map { Growth(application: $0, level: [$0.root], known: [$0.root.id]) }
        for level in 0..<depth {
            growths.removeAll(where: \.level.isEmpty)
            guard !growths.isEmpty else { return }
            let isLast = level == depth - 1
            if isLast, depth == limits.depth {
                for growth in growths { growth.application.note(.tooDeep(depth)) }
            }
            try readLevel(&growths, isLast: isLast, until: deadline)
        }
    }

    private func readLevel(_ growths: inout [Growth], isLast: Bool, until deadline: Double) throws(BusError) {
        let objects = growths.flatMap(\.level)
        var calls: [BusCall] = []
        for object in objects {
            calls.append(call("GetRole", object))
            // An array of two numbers.
            calls.append(call("GetState", object, [], BusCall.Extract(values: 3, bytes: 0)))
            calls.append(property("Name", object))
        }
        let replies = try connection.calls(calls, until: deadline)
        for (index, object) in objects.enumerated() {
            Self.describe(object, replies[3 * index..<3 * index + 3])
        }
        let children = isLast ? objects.map { _ in [] } : try self.children(of: objects, until: deadline)
        var next = zip(objects, children).makeIterator()
        for index in growths.indices {
            let count = growths[index].level.count
            var found: [Accessible] = []
            let application = growths[index].application
            for _ in 0..<count {
                guard let (object, references) = next.next() else { break }
                if object.states.contains(.managesDescendants), references.count >= limits.cells {
                    application.note(.tooManyCells(limits.cells))
                }
                for reference in references where !reference.isNull {
                    guard growths[index].known.count < limits.objects else {
                        application.note(.tooMany(limits.objects))
                        break
                    }
                    // A tree in which an object is its own descendant would have no end.
                    guard growths[index].known.insert(reference).inserted else { continue }
                    let child = Accessible(reference, parent: object)
                    object.children.append(child)
                    found.append(child)
                }
            }
            growths[index].level = found
            noteShortages(of: application)
        }
    }

    /// Notes whether the program does not answer, has not in time, or too much.
    func noteShortages(of application: AccessibleApplication) {
        if connection.silent.contains(application.bus) { application.note(.silent) }
        if connection.late.contains(application.bus) { application.note(.late) }
        if connection.isExhausted(application.bus) { application.note(.tooLarge(limits.bytes)) }
    }

    private static func describe(_ object: Accessible, _ replies: ArraySlice<BusReply>) {
        let replies = Array(replies)
        if let role = replies[0].value?.integer.flatMap({ UInt32(exactly: $0) }) {
            object.role = AccessibleRole(rawValue: role)
        }
        if let words = replies[1].value?.list {
            object.states = AccessibleStates(words: words.prefix(2).map { UInt32(exactly: $0.integer ?? 0) ?? 0 })
        }
        object.name = replies[2].value?.string ?? ""
    }

    /// The children of each object, at most `limits.cells` of one that creates them on demand.
    private func children(of objects: [Accessible], until deadline: Double) throws(BusError) -> [[Accessible.ID]] {
        let replies = try connection.calls(
            objects.map { object in
                object.states.contains(.managesDescendants)
                    // One more than may be kept: it shows that there are more.
                    ? property("ChildCount", object)
                    : call("GetChildren", object, [], .references(limits.objects + 1))
            }, until: deadline)
        var cells: [BusCall] = []
        var counts: [Int] = []
        for (object, reply) in zip(objects, replies) {
            let count = reply.value?.number.map { Int(max(0, min($0, Double(limits.cells)))) } ?? 0
            counts.append(count)
            for index in 0..<count {
                cells.append(call("GetChildAtIndex", object, [.int32(Int32(index))], .references(1)))
            }
        }
        let all = try connection.calls(cells, until: deadline)
        var position = 0
        return zip(replies, counts).map { reply, count in
            guard count > 0 else { return Self.references(reply) }
            defer { position += count }
            return all[position..<position + count].compactMap { $0.value.flatMap(Self.reference) }
        }
    }
}
