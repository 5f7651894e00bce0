#pragma once
// The declarations of sqlite3_preupdate_hook are behind this macro (c3ref/preupdate_blobwrite.html). The
// library must be compiled with it too, as Debian's is.
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <sqlite3.h>
#include <stdint.h>

// With SQLITE_TRANSIENT, SQLite copies the bytes before the function returns (c_static.html). The caller may
// therefore free its buffer after each call. Swift cannot import SQLITE_TRANSIENT, because it is a cast of -1
// to a function pointer.

/// Binds a text of `length` bytes. A null pointer binds the empty text (sqlite3_bind_text would bind NULL).
static inline int qring_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text ? text : "", text ? length : 0, SQLITE_TRANSIENT);
}

/// Binds `length` bytes. A null pointer binds the empty blob (sqlite3_bind_blob would bind NULL).
static inline int qring_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return bytes && length > 0 ? sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT)
                               : sqlite3_bind_zeroblob(statement, index, 0);
}

/// Binds an id of 128 bits as 16 bytes. The most significant byte is first, so that the blobs sort in the
/// order of the ids.
static inline int qring_sqlite_bind_id(sqlite3_stmt *statement, int index, uint64_t high, uint64_t low) {
    uint64_t bytes[2] = {__builtin_bswap64(high), __builtin_bswap64(low)};
    return sqlite3_bind_blob(statement, index, bytes, 16, SQLITE_TRANSIENT);
}

/// Reads an id that qring_sqlite_bind_id wrote. Returns 0 if the column does not contain 16 bytes.
static inline int qring_sqlite_column_id(sqlite3_stmt *statement, int column, uint64_t *high, uint64_t *low) {
    const void *bytes = sqlite3_column_blob(statement, column);
    if (!bytes || sqlite3_column_bytes(statement, column) != 16) return 0;
    uint64_t halves[2];
    __builtin_memcpy(halves, bytes, 16);
    *high = __builtin_bswap64(halves[0]);
    *low = __builtin_bswap64(halves[1]);
    return 1;
}

/// Turns off SQLite's memory statistics, which this project does not use and which need a lock for each
/// allocation. Callers must call this function before any other function of SQLite: "The sqlite3_config()
/// interface is not threadsafe", and it fails after SQLite is initialized. (Swift cannot call sqlite3_config,
/// because it is variadic.)
static inline void qring_sqlite_count_no_memory(void) {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Makes SQLite strict. SQLite then treats text in double quotes only as the name of a column (quirks.html
/// §8), and rejects writes to the tables of the schema. (Swift cannot call sqlite3_db_config, because it is
/// variadic.)
static inline int qring_sqlite_be_strict(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    return code;
}

/// Returns the errno of the last failed read or write of the database file or its log, or 0.
/// sqlite3_system_errno() is not sufficient, because the rollback of SQLite may have overwritten errno. Each
/// open file stores its own errno (c3ref/c_fcntl_begin_atomic_write.html, SQLITE_FCNTL_LAST_ERRNO), and
/// `matters` chooses one of the two values.
static inline int qring_sqlite_last_errno(sqlite3 *database, int (*matters)(int)) {
    int of_file = 0, of_log = 0;
    sqlite3_file *log = 0;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    // A journal in memory has no such function.
    if (code == SQLITE_OK && log && log->pMethods && log->pMethods->xFileControl)
        log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
    if (matters(of_file) || matters(of_log)) return matters(of_file) ? of_file : of_log;
    return of_log ? of_log : of_file ? of_file : sqlite3_system_errno(database);
}

/// Makes SQLite leave the log unchanged when the connection closes, if `leaves` is 1. Otherwise "the last
/// connection to a database" copies the log into the file and deletes the log
/// (c3ref/c_dbconfig_defensive.html, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE), which a read-only connection must not
/// do.
static inline int qring_sqlite_leave_log(sqlite3 *database, int leaves) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, leaves, (int *)0);
}

/// Flushes the file of the connection's main database to the disk. The flush uses SQLite's own descriptor,
/// because "if a process … closes any file descriptor for the file", its locks on the file are released
/// (howtocorrupt.html §2.2).
static inline int qring_sqlite_sync(sqlite3 *database) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
}

// glibc declares statx only if _GNU_SOURCE is defined. The kernel defines the layout of its result, which has
// 256 bytes (statx(2)).
extern int qring_statx(int folder, const char *path, int flags, unsigned mask, void *result) __asm__("statx");

/// Returns the time at which the inode of an open file was created, in nanoseconds since 1970. Returns 0 if
/// the file system does not store it.
static inline int64_t qring_birth_time(int descriptor) {
    uint64_t result[32] = {0};
    uint32_t mask, nanoseconds;
    int64_t seconds;
    // AT_EMPTY_PATH is 0x1000, and STATX_BTIME is 0x800.
    if (qring_statx(descriptor, "", 0x1000, 0x800, result) != 0) return 0;
    __builtin_memcpy(&mask, result, 4);
    __builtin_memcpy(&seconds, (char *)result + 80, 8);
    __builtin_memcpy(&nanoseconds, (char *)result + 88, 4);
    return mask & 0x800 ? seconds * 1000000000 + nanoseconds : 0;
}
