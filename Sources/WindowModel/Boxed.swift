// Values that few objects have.

import MullionGeometry

/// An optional value on the heap, for properties that are rarely set, so that types with several of them stay small. It
/// is coded like any optional.
@propertyWrapper @frozen
public struct Boxed<Value: Hashable & Codable & Sendable>: Hashable, Sendable {
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    @inlinable public var wrappedValue: Value? {
        get { box?.value }
        set { box = newValue.map { Box($0) } }
    }

    /// Without a value.
    @inlinable public init() { box = nil }

    @inlinable public init(wrappedValue: Value?) { box = wrappedValue.map { Box($0) } }

    @inlinable public static func == (a: Boxed, b: Boxed) -> Bool {
        a.box === b.box || a.wrappedValue == b.wrappedValue
    }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: Codable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value?(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A type with a value that is by far the most common one.
public protocol DefaultValued: Hashable, Codable, Sendable {
    static var defaultValue: Self { get }
}

extension AffineTransform: DefaultValued {
    public static var defaultValue: AffineTransform { .identity }
}

/// A value that is on the heap unless it is the default. It is coded like the value itself.
@propertyWrapper @frozen
public struct BoxedUnlessDefault<Value: DefaultValued>: Hashable, Codable, Sendable {
    @usableFromInline var changed: Boxed<Value>

    @inlinable public var wrappedValue: Value {
        get { changed.wrappedValue ?? .defaultValue }
        set { changed = Boxed(wrappedValue: newValue == .defaultValue ? nil : newValue) }
    }

    /// The default.
    @inlinable public init() { changed = Boxed() }

    @inlinable public init(wrappedValue: Value) {
        changed = Boxed(wrappedValue: wrappedValue == .defaultValue ? nil : wrappedValue)
    }

    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }

    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// What the compiler synthesizes for a structure uses these: without a value, there is no field.

extension KeyedEncodingContainer {
    mutating func encode<Value>(_ boxed: Boxed<Value>, forKey key: Key) throws {
        try encodeIfPresent(boxed.wrappedValue, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode<Value>(_: Boxed<Value>.Type, forKey key: Key) throws -> Boxed<Value> {
        Boxed(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
    }
}
