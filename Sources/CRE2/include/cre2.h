// A C interface to RE2 for Swift, because the interface of RE2 is C++. Any thread may call all functions, and
// several threads may match the same pattern at the same time.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qring_re2 qring_re2;

// Compiles a pattern of `length` bytes of UTF-8. `max_memory` limits the memory of the program and its caches
// in bytes (re2.h: "max_mem"). The result is never NULL: if the pattern is invalid or its program needs more
// memory, `qring_re2_error` returns the error. The caller must release the result with `qring_re2_release`.
qring_re2 *qring_re2_compile(const char *pattern, size_t length, int64_t max_memory);

// Returns the error message of RE2 as a C string, or NULL if the pattern has no error. The message exists as
// long as the pattern.
const char *qring_re2_error(const qring_re2 *pattern);

// Returns whether the text contains a match. The time is linear in `length`. Returns 0 if the pattern has an
// error.
int qring_re2_matches(const qring_re2 *pattern, const char *text, size_t length);

// Returns the number of steps of the program, which is the highest cost of one byte of text. Returns 0 if the
// pattern has an error.
int qring_re2_steps(const qring_re2 *pattern);

void qring_re2_release(qring_re2 *pattern);

#ifdef __cplusplus
}
#endif
