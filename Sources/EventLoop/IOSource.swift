// A descriptor that is watched for reading and writing.

import CLibevent
import Glibc

/// Watches a descriptor, level-triggered: a handler runs again in the next turn as long as its condition holds.
///
/// The descriptor is not owned: cancel the source (or drop it) before you close it. Any handler may cancel or drop
/// the source. A hang-up or an error counts as readable and, where asked for, writable: read or write to learn which.
public final class IOSource {
    /// Runs while there is something to read and `wantsRead`.
    public var onReadable: (() -> Void)?
    /// Runs while there is room to write and `wantsWrite`.
    public var onWritable: (() -> Void)?
    /// The watched descriptor.
    public let descriptor: Int32
    /// True once cancelled; the source then does nothing for ever.
    public private(set) var isCancelled = false

    private let loop: EventLoop
    // Two events, so that changing one interest leaves the other alone: one epoll_ctl per change.
    private var reading: Event?
    private var writing: Event?

    /// Watches nothing yet: set the handlers, then `wantsRead` or `wantsWrite`.
    public init(_ loop: EventLoop, descriptor: Int32) throws(EventLoopError) {
        self.loop = loop
        self.descriptor = descriptor
        reading = try unsafe Event(loop.base, descriptor, EV_READ, self, sourceReadable)
        writing = try unsafe Event(loop.base, descriptor, EV_WRITE, self, sourceWritable)
    }

    /// Watches for reading at once.
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

    /// Whether `onReadable` is wanted; off gives back-pressure. A change costs one epoll_ctl.
    public var wantsRead = false {
        didSet { change(reading, EV_READ, from: oldValue, to: wantsRead) }
    }

    /// Whether `onWritable` is wanted. A change costs one epoll_ctl.
    public var wantsWrite = false {
        didSet { change(writing, EV_WRITE, from: oldValue, to: wantsWrite) }
    }

    /// Stops watching and lets go of the handlers.
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
            // The handler's own read or write then meets the reason.
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
