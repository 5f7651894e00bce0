// libwebsockets 4.1.6 on libuv, with plain functions in place of the macros and unions that Swift cannot use.
#pragma once
#include <libwebsockets.h>
#include <string.h>
#include <uv.h>

/// The options of every context. libuv is the event loop, the caller creates the vhosts, and libwebsockets
/// checks that text is UTF-8.
static inline uint64_t qring_lws_options(void) {
    return LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_VALIDATE_UTF8;
}

/// The additional option of a context whose connections may use TLS.
static inline uint64_t qring_lws_option_tls(void) {
    return LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
}

/// Sends errors and warnings to `emit`, or discards them if `emit` is NULL. Messages of lower levels concern
/// single connections and are discarded.
static inline void qring_lws_log(void (*emit)(int level, const char *line)) {
    lws_set_log_level(emit ? LLL_ERR | LLL_WARN : 0, emit);
}

/// Passes a connected socket to `vhost`. libwebsockets reports received bytes without parsing them
/// (LWS_CALLBACK_RAW_RX), and stores `opaque` as the user data of the connection. If this call fails,
/// libwebsockets has closed the socket ("Either returns new wsi bound to accept_fd, or closes accept_fd and
/// returns NULL").
static inline struct lws *qring_lws_adopt(struct lws_vhost *vhost, int file_descriptor, void *opaque) {
    lws_adopt_desc_t description;
    memset(&description, 0, sizeof description);
    description.vh = vhost;
    description.type = LWS_ADOPT_SOCKET;
    description.fd.sockfd = file_descriptor;
    description.opaque = opaque;
    return lws_adopt_descriptor_vhost_via_info(&description);
}

/// Writes bytes that already have a frame header. With LWS_WRITE_HTTP, libwebsockets sends the bytes
/// unchanged, on a websocket too. It sends at once, and buffers the bytes that the kernel does not accept.
/// libwebsockets does not change `bytes`.
static inline int qring_lws_write_framed(struct lws *wsi, const uint8_t *bytes, size_t length) {
    return lws_write(wsi, (unsigned char *)bytes, length, LWS_WRITE_HTTP);
}

/// Sets the close frame that libwebsockets sends when it closes `wsi`. The reason may have at most 123 bytes
/// (RFC 6455 §5.5).
static inline void qring_lws_close_reason(
    struct lws *wsi, uint16_t code, const uint8_t *reason, size_t length) {
    lws_close_reason(wsi, (enum lws_close_status)code, (unsigned char *)reason, length);
}

/// Closes `wsi`. Callers must be on the loop's thread and not in a callback of `wsi`: "LWS_TO_KILL_SYNC to
/// close it synchronously if you know the wsi is not in use".
static inline void qring_lws_close(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_SYNC);
}

/// The flags of a client connection, with or without TLS. libwebsockets always checks certificates, and never
/// follows redirects.
static inline int qring_lws_client_flags(int secure) {
    return LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (secure ? LCCSCF_USE_SSL : 0);
}
