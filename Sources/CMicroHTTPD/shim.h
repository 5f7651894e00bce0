#pragma once
// libmicrohttpd, with plain functions that call its variadic functions, which Swift cannot call.
#include <microhttpd.h>
#include <stdarg.h>
#include <stdint.h>

/// The functions that a daemon calls. `context` is the first argument of each function, and must exist longer
/// than the daemon.
struct cmhd_callbacks {
    void *context;
    MHD_AccessHandlerCallback answer;
    void *(*target)(void *context, const char *uri, struct MHD_Connection *connection);
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    /// Receives the format string of each log message of libmicrohttpd.
    void (*hear)(void *context, const char *format);
};

static inline void cmhd_pass_on(void *callbacks, const char *format, va_list arguments) {
    const struct cmhd_callbacks *to = (const struct cmhd_callbacks *)callbacks;
    (void)arguments;
    to->hear(to->context, format);
}

/// Starts a daemon without a thread and without a listening socket. The caller polls `cmhd_epoll_descriptor`,
/// and calls MHD_run and MHD_add_connection, all on one thread. Returns NULL on failure. `connection_limit`
/// is needed, because the default of libmicrohttpd (FD_SETSIZE - 4) is meant for select. With a certificate
/// and its key, both in PEM, all connections use TLS. libmicrohttpd copies neither, so both must exist longer
/// than the daemon.
static inline struct MHD_Daemon *cmhd_start(
    const struct cmhd_callbacks *callbacks, unsigned int connection_limit, size_t memory_per_connection,
    const char *certificate, const char *key) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem *options = certificate == NULL ? &tls[2] : tls;
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG
            | (certificate == NULL ? 0 : MHD_USE_TLS),
        0, NULL, NULL,
        callbacks->answer, callbacks->context,
        MHD_OPTION_EXTERNAL_LOGGER, cmhd_pass_on, callbacks,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, callbacks->context,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks->completed, callbacks->context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks->connection, callbacks->context,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
        MHD_OPTION_ARRAY, options,
        MHD_OPTION_END);
}

/// Returns the epoll descriptor that the caller must poll, or -1.
static inline int cmhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// Returns the pointer that the connection callback stored for this connection, or NULL.
static inline void *cmhd_connection_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info == NULL ? NULL : info->socket_context;
}

/// Returns the size of the request's head in bytes, from the method to the blank line. The size is known when
/// libmicrohttpd calls the access handler.
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Returns the status of the response that is queued on this connection, or 0.
static inline unsigned int cmhd_status(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info == NULL ? 0 : info->http_status;
}
