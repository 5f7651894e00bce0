internal import Glibc

/// A lock together with a condition variable: a thread that has the lock can wait for a change by another
/// thread. Only for threads that may block. `Mutex` is better for a lock that one closure holds.
///
/// `@unchecked Sendable`: the pointers never change, and POSIX allows every thread to use the mutex and the
/// condition behind them.
package final class Condition: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changes = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() {
        // With default attributes, neither function can fail in glibc.
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changes, nil)
    }

    deinit {
        pthread_cond_destroy(changes)
        pthread_mutex_destroy(mutex)
        changes.deallocate()
        mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }
    package func unlock() { pthread_mutex_unlock(mutex) }
    /// Releases the lock, waits for a change, and locks again. It can return without a change, so the caller
    /// checks again. The caller has the lock.
    package func wait() { pthread_cond_wait(changes, mutex) }
    /// Wakes one waiting thread.
    package func signal() { pthread_cond_signal(changes) }
    /// Wakes all waiting threads.
    package func broadcast() { pthread_cond_broadcast(changes) }
}
