#pragma once
// The Linux functions that Swift's Glibc module does not contain: eventfd, prctl for the name of a thread,
// and the priorities of a single thread.
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/// Gives the calling thread a low priority for the processor and for the disk. On Linux, setpriority changes
/// a single thread ("the nice value is a per-thread attribute", setpriority(2)). ioprio_set(2) has no
/// wrapper: 1 is IOPRIO_WHO_PROCESS, and the value is the class "best effort" (2) with its lowest level (7).
/// A failure leaves the priority as it was.
static inline void cthreads_lower_priority(void) {
    (void)setpriority(PRIO_PROCESS, 0, 10);
    (void)syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7);
}
