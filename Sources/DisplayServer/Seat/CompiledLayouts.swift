// Compiling layouts without making anybody wait.

import EventLoop
import MullionKeymaps
import MullionSystem

/// Layouts that are in use, or were compiled on another thread: compiling one takes several milliseconds, and explaining
/// what is wrong with one takes many times that.
public struct CompiledLayouts: @unchecked Sendable {
    // A keymap has one owner at a time: the thread that compiles it, then the loop's.
    private var results: [KeyboardLayout: Result<Keymap, KeyboardLayoutError>] = [:]

    /// None: each layout is compiled when it is needed.
    public init() {}

    fileprivate init(inUseBy keyboards: some Sequence<Keyboard>) {
        for (layout, state) in keyboards.flatMap(\.states) { results[layout] = .success(state.keymap) }
    }

    fileprivate init(_ layouts: Set<KeyboardLayout>) {
        for layout in layouts {
            results[layout] = Result { () throws(KeyboardLayoutError) in try layout.keymap() }
        }
    }

    fileprivate var layouts: Set<KeyboardLayout> { Set(results.keys) }

    fileprivate func and(_ others: CompiledLayouts) -> CompiledLayouts {
        var all = self
        all.results.merge(others.results) { own, _ in own }
        return all
    }

    /// The layout's keymap.
    /// - Throws: what XKB does not know.
    func keymap(of layout: KeyboardLayout) throws(KeyboardLayoutError) -> Keymap {
        if let result = results[layout] { return try result.get() }
        return try layout.keymap()
    }
}

extension DisplayServer {
    /// Compiles the layouts of keyboards that are not in use yet, beside the loop, and then calls `body`.
    public func compileLayouts(
        of keyboards: [KeyboardConfiguration], _ body: @escaping (CompiledLayouts) -> Void
    ) {
        let known = CompiledLayouts(inUseBy: seats.map(\.keyboard))
        let new = keyboards.reduce(into: Set<KeyboardLayout>()) { $0.formUnion($1.layouts) }.subtracting(known.layouts)
        let done = loop.completion(of: CompiledLayouts.self) { body(known.and($0)) }
        guard !new.isEmpty else { return done(CompiledLayouts()) }
        keymapCompiler.worker.perform { done(CompiledLayouts(new)) }
    }
}
