// Keys of bodies whose names come from a table.

/// A key of a body that has the properties of a table.
protocol TableKey: CodingKey, CaseIterable {
    static var names: [String] { get }
    init(_ name: String)
}

extension TableKey {
    static var allCases: [Self] { names.map { Self($0) } }
    var intValue: Int? { nil }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
