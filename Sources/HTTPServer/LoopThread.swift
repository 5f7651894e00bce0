import Glibc

/// A thread of the system's with one thing to do: it waits in the kernel, which the threads of Swift's pool
/// must not.
enum LoopThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Nobody joins it: whoever waits for its end waits for what it does last.
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var handle = pthread_t()
        let result = pthread_create(
            &handle, &attributes, runLoopThread, Unmanaged.passRetained(Parcel(body)).toOpaque())
        // Nothing that a caller could do differently: the process has no thread to give at its very start.
        precondition(result == 0, "pthread_create failed: \(result)")
    }

    fileprivate final class Parcel: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private nonisolated func runLoopThread(_ parcel: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let parcel else { preconditionFailure("started without its parcel") }
    Unmanaged<LoopThread.Parcel>.fromOpaque(parcel).takeRetainedValue().body()
    return nil
}
