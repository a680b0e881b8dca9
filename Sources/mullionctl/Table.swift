// Aligned columns.

/// Rows with a heading; columns that are empty in every row are omitted.
struct Table {
    private var rows: [[String]]

    init(_ head: String...) { rows = [head] }

    /// Names and titles may contain anything.
    mutating func add(_ cells: String...) { rows.append(cells.map { $0.printable() }) }

    /// The table, or a sentence when there are no rows.
    func text(orWhenEmpty sentence: String) -> String { rows.count > 1 ? text : sentence + "\n" }

    /// The table; empty without rows.
    var text: String {
        guard rows.count > 1 else { return "" }
        let used = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = used.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (width, column) in zip(widths, used) {
                line += row[column] + String(repeating: " ", count: width - row[column].count + 2)
            }
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
