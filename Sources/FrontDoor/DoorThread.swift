import Glibc

/// A thread of the system's with one thing to do: it waits in the kernel, which the threads of Swift's pool
/// must not.
struct DoorThread: Sendable {
    private let handle: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let parcel = Unmanaged.passRetained(Parcel(body)).toOpaque()
        let result = pthread_create(&handle, nil, runDoorThread, parcel)
        // Nothing that a caller could do differently: the process has no thread to give at its very start.
        precondition(result == 0, "pthread_create failed: \(result)")
        self.handle = handle
    }

    func join() { pthread_join(handle, nil) }

    fileprivate final class Parcel: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

private nonisolated func runDoorThread(_ parcel: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let parcel else { preconditionFailure("started without its parcel") }
    Unmanaged<DoorThread.Parcel>.fromOpaque(parcel).takeRetainedValue().body()
    return nil
}
