// The ceiling: a bare check-in service on the libraries that QRing uses. One thread serves HTTP, and one
// writes all check-ins that wait as one durable batch. It checks one HMAC, and writes three rows. It has no
// validation, no rights, no rooms and no languages, so it is an upper bound and no peer.
//
// Every POST with "name" and "email" is a check-in; any other request is answered at once.
//
// gcc -O2 -o ceiling ceiling.c -lmicrohttpd -lsqlite3 -lsodium -lpthread; ./ceiling PORT DATABASE
#define _GNU_SOURCE
#include <microhttpd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { MOST_BODY = 600, MOST_ANSWER = 1400, MOST_TEXT = 100 };

struct request {
    struct request *next;
    struct MHD_Connection *connection;
    int is_done, status;
    size_t length;
    char body[MOST_BODY], answer[MOST_ANSWER];
    char name[MOST_TEXT + 1], email[MOST_TEXT + 1];
};

static struct request *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int wake;
static unsigned char key[crypto_auth_hmacsha256_KEYBYTES];

static const char schema[] =
    "PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "PRAGMA wal_autocheckpoint = 2000;"
    "CREATE TABLE attendees (id BLOB PRIMARY KEY, session INT, email TEXT, name TEXT, status INT, at INT,"
    " receipt BLOB) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX attendees_by_email ON attendees (session, email);"
    "CREATE TABLE events (session INT, sequence INT, at INT, attendee BLOB, PRIMARY KEY (session, sequence))"
    " WITHOUT ROWID;"
    "CREATE TABLE sessions (id INT PRIMARY KEY, sequence INT, present INT);"
    "INSERT INTO sessions VALUES (1, 0, 0)";

static const char answer[] =
    "{\"attendee\":{\"id\":\"%s\",\"name\":\"%s\",\"email\":\"%s\",\"status\":\"present\",\"walkIn\":false,"
    "\"checkedInAt\":\"2026-11-21T10:00:00Z\",\"method\":\"qr\"},\"session\":{\"id\":"
    "\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"meetingId\":\"01ARZ3NDEKTSV4RRFFQ69G5FAV\",\"meetingName\":\"name\","
    "\"number\":2,\"startsAt\":\"2026-11-21T10:00:00Z\",\"endsAt\":\"2026-11-21T12:00:00Z\","
    "\"timeZone\":\"Asia/Seoul\",\"lateAfterMinutes\":10,\"checkInOpensAt\":\"2026-11-21T10:00:00Z\","
    "\"checkInClosesAt\":\"2026-11-21T10:00:00Z\",\"feedbackOpensAt\":\"2026-11-21T10:00:00Z\","
    "\"feedbackClosesAt\":\"2026-11-21T10:00:00Z\",\"phase\":\"running\",\"attendance\":{\"expected\":30,"
    "\"present\":%lld,\"late\":3,\"absent\":0,\"excused\":0,\"checkedIn\":15,\"walkIns\":1},"
    "\"feedback\":{\"questions\":3,\"responses\":9}},\"receipt\":\"%s\",\"alreadyCheckedIn\":false}";

// Copies the text of a JSON member without decoding it. Returns 0 if the body has no such member.
static int copy_member(const char *body, const char *name, char *to) {
    const char *from = strstr(body, name);
    if (!from || !(from = strchr(from + strlen(name), ':')) || !(from = strchr(from, '"'))) return 0;
    int count = 0;
    for (from++; *from && *from != '"' && count < MOST_TEXT; from++) to[count++] = *from;
    to[count] = 0;
    return count > 0;
}

static void fail(sqlite3 *database) {
    fprintf(stderr, "ceiling: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *text) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(database, text, -1, &statement, 0) != SQLITE_OK) fail(database);
    return statement;
}

static void run(sqlite3 *database, sqlite3_stmt *statement) {
    if (sqlite3_step(statement) != SQLITE_DONE) fail(database);
    sqlite3_reset(statement);
}

static void *write_batches(void *path) {
    sqlite3 *database;
    if (sqlite3_open(path, &database) != SQLITE_OK || sqlite3_exec(database, schema, 0, 0, 0)) fail(database);
    sqlite3_stmt *begin = prepare(database, "BEGIN IMMEDIATE"), *commit = prepare(database, "COMMIT");
    sqlite3_stmt *add = prepare(
        database, "INSERT INTO attendees VALUES (?, 1, ?, ?, 1, ?, ?) ON CONFLICT DO NOTHING");
    sqlite3_stmt *note = prepare(database, "INSERT INTO events VALUES (1, ?, ?, ?)");
    sqlite3_stmt *count = prepare(database, "UPDATE sessions SET sequence = ?1, present = ?1 WHERE id = 1");
    sqlite3_int64 present = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!first) pthread_cond_wait(&arrived, &lock);
        struct request *batch = first;
        first = 0;
        last = &first;
        pthread_mutex_unlock(&lock);
        run(database, begin);
        time_t now = time(0);
        for (struct request *request = batch; request; request = request->next) {
            unsigned char id[16], receipt[32], hash[32];
            char id_text[33], receipt_text[65];
            randombytes_buf(id, sizeof id);
            // An id begins with its time, so that new rows lie side by side.
            for (int byte = 0; byte < 6; byte++) id[byte] = (now * 1000LL) >> (40 - 8 * byte);
            randombytes_buf(receipt, sizeof receipt);
            crypto_generichash(hash, sizeof hash, receipt, sizeof receipt, 0, 0);
            sqlite3_bind_blob(add, 1, id, sizeof id, 0);
            sqlite3_bind_text(add, 2, request->email, -1, 0);
            sqlite3_bind_text(add, 3, request->name, -1, 0);
            sqlite3_bind_int64(add, 4, now);
            sqlite3_bind_blob(add, 5, hash, sizeof hash, 0);
            run(database, add);
            request->status = 200;
            if (sqlite3_changes(database)) {
                request->status = 201;
                sqlite3_bind_int64(note, 1, ++present);
                sqlite3_bind_int64(note, 2, now);
                sqlite3_bind_blob(note, 3, id, sizeof id, 0);
                run(database, note);
            }
            sodium_bin2hex(id_text, sizeof id_text, id, sizeof id);
            sodium_bin2hex(receipt_text, sizeof receipt_text, receipt, sizeof receipt);
            snprintf(
                request->answer, MOST_ANSWER, answer, id_text, request->name, request->email, present,
                receipt_text);
        }
        sqlite3_bind_int64(count, 1, present);
        run(database, count);
        run(database, commit);
        for (struct request *next; batch; batch = next) {
            // After it was resumed, the request may be freed at any time.
            next = batch->next;
            batch->is_done = 1;
            MHD_resume_connection(batch->connection);
        }
        eventfd_write(wake, 1);
    }
    return 0;
}

static enum MHD_Result respond(struct MHD_Connection *connection, int status, const char *body) {
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(body), (void *)body, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    enum MHD_Result result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result handle(
    void *context, struct MHD_Connection *connection, const char *url, const char *method,
    const char *version, const char *data, size_t *size, void **state) {
    struct request *request = *state;
    if (!request) {
        *state = calloc(1, sizeof(struct request));
        return *state ? MHD_YES : MHD_NO;
    }
    if (*size) {
        size_t count = *size < MOST_BODY - 1 - request->length ? *size : MOST_BODY - 1 - request->length;
        memcpy(request->body + request->length, data, count);
        request->length += count;
        *size = 0;
        return MHD_YES;
    }
    if (request->is_done) return respond(connection, request->status, request->answer);
    if (strcmp(method, "POST") || !copy_member(request->body, "\"name\"", request->name)
        || !copy_member(request->body, "\"email\"", request->email)) {
        return respond(connection, 200, "{\"ok\":true}");
    }
    unsigned char code[crypto_auth_hmacsha256_BYTES];
    crypto_auth_hmacsha256(code, (unsigned char *)request->body, 40, key);
    request->connection = connection;
    MHD_suspend_connection(connection);
    pthread_mutex_lock(&lock);
    *last = request;
    last = &request->next;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return MHD_YES;
}

static void finish(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode reason) {
    free(*state);
}

int main(int count, char **words) {
    if (count != 3 || sodium_init() < 0) return 2;
    signal(SIGPIPE, SIG_IGN);
    wake = eventfd(0, EFD_NONBLOCK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, atoi(words[1]), 0, 0, handle, 0,
        MHD_OPTION_NOTIFY_COMPLETED, finish, 0, MHD_OPTION_CONNECTION_LIMIT, 15000u, MHD_OPTION_END);
    pthread_t writer;
    if (!daemon || pthread_create(&writer, 0, write_batches, words[2])) return 1;
    // As QRing, this program waits itself and runs the library's loop.
    int epoll = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    for (;;) {
        MHD_UNSIGNED_LONG_LONG wait = 1000;
        if (MHD_get_timeout(daemon, &wait) != MHD_YES || wait > 1000) wait = 1000;
        struct pollfd polled[] = {{epoll, POLLIN, 0}, {wake, POLLIN, 0}};
        poll(polled, 2, (int)wait);
        eventfd_t value;
        if (polled[1].revents) eventfd_read(wake, &value);
        MHD_run(daemon);
    }
}
