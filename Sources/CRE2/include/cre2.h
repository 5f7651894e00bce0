// RE2 for Swift, because its own interface is C++. Any thread may call every function, and several threads
// may match the same pattern at once.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qring_re2 qring_re2;

// Compiles `length` bytes of UTF-8. `max_memory` limits the bytes of the program and its caches (re2.h:
// "max_mem"); a pattern whose program needs more has an error. Never NULL: see `qring_re2_error`. The caller
// releases it with `qring_re2_release`.
qring_re2 *qring_re2_compile(const char *pattern, size_t length, int64_t max_memory);

// RE2's message about an error, NUL-terminated; NULL if the pattern has none. It lives as long as the
// pattern.
const char *qring_re2_error(const qring_re2 *pattern);

// Whether the text contains a match, in time linear in `length`. False for a pattern with an error.
int qring_re2_matches(const qring_re2 *pattern, const char *text, size_t length);

// The number of steps of the program: the most that one byte of text can cost. 0 for a pattern with an error.
int qring_re2_steps(const qring_re2 *pattern);

void qring_re2_release(qring_re2 *pattern);

#ifdef __cplusplus
}
#endif
