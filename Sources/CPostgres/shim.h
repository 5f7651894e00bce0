#pragma once
#include <libpq-fe.h>

/// Ignores the notices of the server, which libpq would print to standard error (libpq-notice-processing).
static inline void qring_postgres_ignore_notice(void *argument, const PGresult *notice) {
    (void)argument;
    (void)notice;
}

/// Makes a connection ignore the notices of the server.
static inline void qring_postgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, qring_postgres_ignore_notice, 0);
}

/// Returns the SQLSTATE of a failed statement, five characters, or a null pointer if the server sent none,
/// for example because the connection broke. (Swift imports the codes of the fields as numbers of no type.)
static inline const char *qring_postgres_state(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_SQLSTATE);
}

/// Returns the main line of the server's message about a failed statement, or a null pointer.
static inline const char *qring_postgres_message(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// Returns the context of a failed statement, such as the row of a COPY, or a null pointer.
static inline const char *qring_postgres_context(const PGresult *result) {
    return PQresultErrorField(result, PG_DIAG_CONTEXT);
}
