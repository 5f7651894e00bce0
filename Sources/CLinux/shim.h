#pragma once
// The Linux functions that Swift's Glibc module does not contain: epoll and accept4. The struct of epoll is
// packed and contains a union, so C code reads and writes it, and Swift uses a struct of two integers.
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>

// glibc declares accept4 only if _GNU_SOURCE is defined, which is not guaranteed in a module's header. This
// declaration has another name and an untyped pointer. If this header included <sys/socket.h>, its structs
// would belong to this module in some builds, and to Glibc in others.
extern int clinux_accept4(int listener, void *address, uint32_t *length, int flags) __asm__("accept4");

/// A descriptor that epoll reported as ready, and the bits of its events.
struct clinux_ready {
    int32_t descriptor;
    uint32_t events;
};

static const uint32_t CLINUX_READABLE = EPOLLIN;
static const uint32_t CLINUX_PEER_HALF_CLOSED = EPOLLRDHUP;
static const uint32_t CLINUX_HUNG_UP = EPOLLHUP;
static const uint32_t CLINUX_FAILED = EPOLLERR;
static const uint32_t CLINUX_EDGE_TRIGGERED = EPOLLET;

/// The most descriptors that one call of `clinux_epoll_wait` reports.
static const int32_t CLINUX_READY_AT_ONCE = 128;

/// Returns a new epoll descriptor that is closed on exec, or -1 and sets errno.
static inline int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Adds a descriptor (EPOLL_CTL_ADD). The data of its events is the descriptor itself.
static inline int clinux_epoll_add(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/// Changes the events of a descriptor (EPOLL_CTL_MOD). If `events` is 0, the descriptor stays registered, and
/// epoll reports only errors and hang-ups.
static inline int clinux_epoll_change(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

/// Removes a descriptor (EPOLL_CTL_DEL). Closing a descriptor also removes it, but a descriptor that is
/// passed to a server stays open.
static inline int clinux_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

/// Waits for at most `milliseconds` (-1 waits forever) and fills `ready`, which must have
/// `CLINUX_READY_AT_ONCE` elements. Returns the number of ready descriptors, 0 after a timeout or a signal,
/// or -1 and sets errno.
static inline int clinux_epoll_wait(int epoll, struct clinux_ready *ready, int milliseconds) {
    struct epoll_event events[128];
    int count = epoll_wait(epoll, events, 128, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int i = 0; i < count; i++) {
        ready[i].descriptor = events[i].data.fd;
        ready[i].events = events[i].events;
    }
    return count;
}
