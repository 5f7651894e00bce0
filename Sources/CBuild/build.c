// The commit of a release. Package.swift defines both values for this file alone, so a new commit compiles
// this file and links the program. A plain `swift build` defines none, and compiles nothing.
#include "CBuild.h"

#ifndef QRING_COMMIT
#define QRING_COMMIT ""
#endif
#ifndef QRING_COMMIT_DATE
#define QRING_COMMIT_DATE ""
#endif

const char *cbuild_commit(void) {
    return QRING_COMMIT;
}

const char *cbuild_commit_date(void) {
    return QRING_COMMIT_DATE;
}
