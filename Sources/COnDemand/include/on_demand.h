#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Libraries that only some commands need. The program does not name them to the dynamic linker, which would
   load each of them, and all that they need, at every start. */
enum qring_library {
    QRING_CURL,
    QRING_JQ,
    QRING_PQ,
    QRING_PANGO,
};

/* Opens a library unless it is open, and returns whether it is open. Otherwise the function writes the
   reason, with the name of Debian's package, to `reason`, which has `size` bytes. The next call tries again.
   Any thread may call this function. */
bool qring_open(enum qring_library library, char *reason, size_t size);

/* Returns the address of a function of a library, or a null pointer if the library cannot be opened or has no
   such function. */
void *qring_find(enum qring_library library, const char *function);
