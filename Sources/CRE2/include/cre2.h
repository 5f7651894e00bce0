// RE2 for Swift: its own interface is C++. Every function is safe on any thread; a pattern may be matched by several at once.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct qring_re2 qring_re2;

// Compiles `length` bytes of UTF-8. `max_memory` bounds, in bytes, what the program and its caches take (re2.h: "max_mem"); a pattern
// whose program needs more is refused. Never NULL: ask `qring_re2_error`. Released by `qring_re2_release`.
qring_re2 *qring_re2_compile(const char *pattern, size_t length, int64_t max_memory);

// RE2's own words for what is wrong, NUL-terminated, as long as the pattern lives; NULL where it can be matched.
const char *qring_re2_error(const qring_re2 *pattern);

// Whether the text holds a match, in time linear in `length`. False for a pattern with an error.
int qring_re2_matches(const qring_re2 *pattern, const char *text, size_t length);

// How many steps the program has: the most that a byte of text can cost. 0 for a pattern with an error.
int qring_re2_steps(const qring_re2 *pattern);

void qring_re2_release(qring_re2 *pattern);

#ifdef __cplusplus
}
#endif
