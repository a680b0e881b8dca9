// Watches a descriptor for reading and writing.

import CLibevent
import Glibc

/// Watches a descriptor, level-triggered: a handler runs again every turn while its condition holds.
///
/// Does not own the descriptor: cancel or drop the source before closing it. Any handler may cancel or drop the source.
/// A hang-up or an error counts as readable and, if watched, writable: read or write to find out which.
public final class IOSource {
    /// Called while there is something to read and `wantsRead` is set.
    public var onReadable: (() -> Void)?
    /// Called while there is room to write and `wantsWrite` is set.
    public var onWritable: (() -> Void)?
    /// The watched descriptor.
    public let descriptor: Int32
    /// Whether the source was cancelled; it then does nothing, permanently.
    public private(set) var isCancelled = false

    private let loop: EventLoop
    // Two events, so that changing one interest leaves the other alone: one epoll_ctl per change.
    private var reading: Event?
    private var writing: Event?

    /// Watches nothing at first: set the handlers, then `wantsRead` or `wantsWrite`.
    public init(_ loop: EventLoop, descriptor: Int32) throws(EventLoopError) {
        self.loop = loop
        self.descriptor = descriptor
        reading = try unsafe Event(loop.base, descriptor, EV_READ, self, sourceReadable)
        writing = try unsafe Event(loop.base, descriptor, EV_WRITE, self, sourceWritable)
    }

    /// Watches for reading immediately.
    /// - Throws: when the descriptor cannot be watched (closed, or a regular file).
    public convenience init(
        _ loop: EventLoop, descriptor: Int32, onReadable: @escaping () -> Void
    ) throws(EventLoopError) {
        try self.init(loop, descriptor: descriptor)
        self.onReadable = onReadable
        guard let reading, reading.add() else {
            throw EventLoopError("epoll_ctl", "descriptor \(descriptor)", code: errno)
        }
        wantsRead = true
    }

    /// Whether to watch for reading; turn it off for back-pressure. Each change costs one epoll_ctl.
    public var wantsRead = false {
        didSet { change(reading, EV_READ, from: oldValue, to: wantsRead) }
    }

    /// Whether to watch for writing. Each change costs one epoll_ctl.
    public var wantsWrite = false {
        didSet { change(writing, EV_WRITE, from: oldValue, to: wantsWrite) }
    }

    /// Stops watching and releases the handlers.
    public func cancel() {
        isCancelled = true
        reading = nil
        writing = nil
        onReadable = nil
        onWritable = nil
    }

    private func change(_ event: Event?, _ what: Int32, from old: Bool, to new: Bool) {
        guard old != new, let event else { return }
        if !new {
            event.remove()
        } else if !event.add() {
            // The handler's own read or write will return the error.
            event.activate(what)
        }
    }

    fileprivate func readable() {
        loop.handlerRan = true
        onReadable?()
    }

    fileprivate func writable() {
        loop.handlerRan = true
        onWritable?()
    }
}

private func sourceReadable(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: IOSource.self)?.readable()
}

private func sourceWritable(_: Int32, _: Int16, context: UnsafeMutableRawPointer?) {
    unsafe object(context, as: IOSource.self)?.writable()
}
