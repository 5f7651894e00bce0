#pragma once
// The calls of Linux that Swift's Glibc module does not have: eventfd, and the name of a thread.
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Returns a new eventfd that never blocks and is closed on exec, or -1 and sets errno.
static inline int cthreads_eventfd_create(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// Adds one, which makes the eventfd readable. This fails only if the counter is full, and then it is
/// readable.
static inline void cthreads_eventfd_signal(int descriptor) {
    eventfd_t one = 1;
    (void)eventfd_write(descriptor, one);
}

/// Resets the counter to zero.
static inline void cthreads_eventfd_clear(int descriptor) {
    eventfd_t value;
    (void)eventfd_read(descriptor, &value);
}

/// Names the calling thread for `top` and debuggers. Only the first 15 bytes count (PR_SET_NAME, prctl(2)).
static inline void cthreads_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
