#include "forward.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* The packages stand in packaging/debian/control, because dpkg-shlibdeps does not see these files. */
static struct {
    const char *file, *package;
    pthread_once_t once;
    void *handle;
    char reason[300];
} libraries[] = {
    [QRING_CURL] = {"libcurl.so.4", "libcurl4", PTHREAD_ONCE_INIT, 0, ""},
    [QRING_JQ] = {"libjq.so.1", "libjq1", PTHREAD_ONCE_INIT, 0, ""},
    [QRING_PQ] = {"libpq.so.5", "libpq5", PTHREAD_ONCE_INIT, 0, ""},
    /* It needs libpango, libcairo and libgobject, so dlsym(3) finds their functions too. */
    [QRING_PANGO] = {"libpangocairo-1.0.so.0", "libpangocairo-1.0-0", PTHREAD_ONCE_INIT, 0, ""},
};

static void open_library(enum qring_library library) {
    libraries[library].handle = dlopen(libraries[library].file, RTLD_NOW | RTLD_LOCAL);
    if (libraries[library].handle) return;
    snprintf(
        libraries[library].reason, sizeof libraries[library].reason, "%s (Debian's package %s)", dlerror(),
        libraries[library].package);
}

static void open_curl(void) { open_library(QRING_CURL); }
static void open_jq(void) { open_library(QRING_JQ); }
static void open_pq(void) { open_library(QRING_PQ); }
static void open_pango(void) { open_library(QRING_PANGO); }

const char *qring_open(enum qring_library library) {
    static void (*const openers[])(void) = {
        [QRING_CURL] = open_curl,
        [QRING_JQ] = open_jq,
        [QRING_PQ] = open_pq,
        [QRING_PANGO] = open_pango,
    };
    pthread_once(&libraries[library].once, openers[library]);
    return libraries[library].handle ? NULL : libraries[library].reason;
}

void *qring_find(enum qring_library library, const char *function) {
    return qring_open(library) ? NULL : dlsym(libraries[library].handle, function);
}

void *qring_address(enum qring_library library, const char *function, void **known) {
    void *address = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (address) return address;
    address = qring_find(library, function);
    if (!address) {
        const char *reason = qring_open(library);
        fprintf(stderr, "qring: %s\n", reason ? reason : function);
        abort();
    }
    __atomic_store_n(known, address, __ATOMIC_RELEASE);
    return address;
}

/* Swift's driver reads this section of each object, and passes its words to the linker before the names of
   the libraries. This word makes the linker ignore a library if the program itself defines all functions of
   it that the program calls, as the files of this folder do. The settings in Package.swift come after the
   names, which is too late. Tests/System/test_start.py fails if a library is loaded at the start again. */
__attribute__((used, section(".swift1_autolink_entries"))) static const char linker_option[] =
    "-Wl,--as-needed";
