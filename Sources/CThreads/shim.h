#pragma once
// The Linux functions that Swift's Glibc module does not contain: eventfd, and prctl for the name of a
// thread.
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Returns a new non-blocking eventfd that is closed on exec, or -1 and sets errno.
static inline int cthreads_eventfd_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// Adds 1 to the counter, which makes the eventfd readable. The call fails only if the counter is full, and
/// in this case the eventfd is readable already.
static inline void cthreads_eventfd_signal(int descriptor) {
    eventfd_t one = 1;
    (void)eventfd_write(descriptor, one);
}

/// Resets the counter to 0, which makes the eventfd unreadable.
static inline void cthreads_eventfd_clear(int descriptor) {
    eventfd_t value;
    (void)eventfd_read(descriptor, &value);
}

/// Sets the name of the calling thread for `top` and debuggers. Only the first 15 bytes are used
/// (PR_SET_NAME, prctl(2)).
static inline void cthreads_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
