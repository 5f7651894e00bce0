#pragma once
// The calls of Linux that Swift's Glibc module does not have: epoll and accept4. The structure of epoll is
// packed and contains a union, so that C reads and writes it, and Swift sees two integers.
#include <errno.h>
#include <stdint.h>
#include <sys/epoll.h>

// glibc declares accept4 only under _GNU_SOURCE, which a module's header cannot rely on. It has another name
// and a plain pointer here: with <sys/socket.h>, that header's structures would belong to this module in some
// builds, and to Glibc in others.
extern int clinux_accept4(int listener, void *address, uint32_t *length, int flags) __asm__("accept4");

/// One descriptor that epoll found ready, and the bits it was ready for.
struct clinux_ready {
    int32_t descriptor;
    uint32_t events;
};

static const uint32_t CLINUX_READABLE = EPOLLIN;
static const uint32_t CLINUX_PEER_HALF_CLOSED = EPOLLRDHUP;
static const uint32_t CLINUX_HUNG_UP = EPOLLHUP;
static const uint32_t CLINUX_FAILED = EPOLLERR;
static const uint32_t CLINUX_EDGE_TRIGGERED = EPOLLET;

/// The most that `clinux_epoll_wait` reports at once.
static const int32_t CLINUX_READY_AT_ONCE = 128;

/// A new epoll descriptor that is closed on exec, or -1 with errno.
static inline int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// epoll_ctl with EPOLL_CTL_ADD; the event's data is the descriptor itself.
static inline int clinux_epoll_add(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

/// epoll_ctl with EPOLL_CTL_MOD. With no `events`, the descriptor stays registered, and only errors and
/// hang-ups are reported.
static inline int clinux_epoll_change(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

/// epoll_ctl with EPOLL_CTL_DEL. Closing removes a descriptor, too, but one that is handed over stays open.
static inline int clinux_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, 0);
}

/// Waits for at most `milliseconds` (-1: for ever) and fills `ready`, which has room for
/// `CLINUX_READY_AT_ONCE`. Returns the number of ready descriptors; 0 after a timeout or a signal; -1 with
/// errno.
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
