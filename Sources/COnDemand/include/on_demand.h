#pragma once

/* Libraries that only some commands need. The program does not name them to the dynamic linker, which would
   load each of them, and all that they need, at every start. */
enum qring_library {
    QRING_CURL,
    QRING_JQ,
    QRING_PQ,
    QRING_PANGO,
};

/* Opens a library unless it is open. Returns a null pointer if it is open; otherwise the reason, with the
   name of Debian's package. Any thread may call this function. */
const char *qring_open(enum qring_library library);

/* The name of the file of a library, and of Debian's package that has it. */
const char *qring_library_file(enum qring_library library);
const char *qring_library_package(enum qring_library library);
