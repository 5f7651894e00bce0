// For --sanitize thread, by LD_PRELOAD. Swift's Mutex takes an uncontended lock in inlined code, which the
// sanitizer sees, and a contended lock in the library, which it does not see: every contended lock looks like
// a race then. These two functions report the lock to the sanitizer and call the library's functions.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

typedef SWIFT void (*lock_slow)(uint32_t, SELF void *);
typedef SWIFT void (*unlock_slow)(SELF void *);

// Synchronization._MutexHandle._lockSlow(UInt32)
SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(
    "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
// Synchronization._MutexHandle._unlockSlow()
SWIFT void unlock(SELF void *mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock(uint32_t thread, SELF void *mutex) {
    static lock_slow real;
    if (!real) real = (lock_slow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF void *mutex) {
    static unlock_slow real;
    if (!real) real = (unlock_slow)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}
