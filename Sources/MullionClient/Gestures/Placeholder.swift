import Geometry
public final class TapGestureRecognizer: GestureRecognizer {
    public init(_ action: @escaping (TapGestureRecognizer) -> Void) { super.init() }
    public func location(in view: View?) -> Point { .zero }
}
public final class PanGestureRecognizer: GestureRecognizer {
    public enum State { case possible, began, changed, ended, cancelled, failed }
    public var state: State { .possible }
    public init(_ action: @escaping (PanGestureRecognizer) -> Void) { super.init() }
    public func translation(in view: View?) -> Point { .zero }
}
