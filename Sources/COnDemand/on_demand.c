/* For RTLD_DEEPBIND. */
#define _GNU_SOURCE
#include "forward.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* packaging/debian/control lists the packages too, because dpkg-shlibdeps does not see these files. */
static struct {
    const char *const file, *const package;
    void *handle;
} libraries[] = {
    [QRING_CURL] = {"libcurl.so.4", "libcurl4", NULL},
    [QRING_JQ] = {"libjq.so.1", "libjq1", NULL},
    [QRING_PQ] = {"libpq.so.5", "libpq5", NULL},
    /* It needs libpango, libcairo and libgobject, so dlsym(3) finds their functions too. */
    [QRING_PANGO] = {"libpangocairo-1.0.so.0", "libpangocairo-1.0-0", NULL},
};
/* Locked while a library is opened. A handle never changes once it is set. */
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* Without RTLD_DEEPBIND, calls from one library to another, such as from Pango to cairo, would find the
   functions of this program. The sanitizers do not allow it. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_FUNCTIONS_FIRST 0
#endif
#endif
#ifndef OWN_FUNCTIONS_FIRST
#define OWN_FUNCTIONS_FIRST RTLD_DEEPBIND
#endif

bool qring_open(enum qring_library library, char *reason, size_t size) {
    pthread_mutex_lock(&opening);
    void *handle = libraries[library].handle;
    if (!handle) {
        handle = dlopen(libraries[library].file, RTLD_NOW | RTLD_LOCAL | OWN_FUNCTIONS_FIRST);
        libraries[library].handle = handle;
    }
    if (!handle)
        snprintf(reason, size, "install Debian's package %s: %s", libraries[library].package, dlerror());
    pthread_mutex_unlock(&opening);
    return handle != NULL;
}

void *qring_find(enum qring_library library, const char *function) {
    char reason[1];
    return qring_open(library, reason, sizeof reason) ? dlsym(libraries[library].handle, function) : NULL;
}

void *qring_address(enum qring_library library, const char *function, void **known) {
    void *address = __atomic_load_n(known, __ATOMIC_ACQUIRE);
    if (address) return address;
    address = qring_find(library, function);
    if (!address) {
        fprintf(
            stderr, "qring: %s has no function %s; install a newer version of Debian's package %s\n",
            libraries[library].file, function, libraries[library].package);
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
