// Compiles the files of the folder `Public` into the program with C23's #embed (N3220 §6.10.4). Swift has no
// such directive, and its compiler would need a second for every 4 KB of an array literal. The C compiler
// records each embedded file as a dependency, so that a changed page is compiled again. `files.inc` is the
// only list of the files. It is included for the bytes of the files, and embedded as text for their names.
#include "CPages.h"

#define TEXT(tokens) #tokens
#define FILE(path) TEXT(../../Public/path) suffix(, 0, )

static const char list[] = {
#embed "files.inc" suffix(, 0)
};

static const unsigned char bytes[] = {
#include "files.inc"
};

const char *cpages_list(void) { return list; }

const unsigned char *cpages_bytes(size_t *count) {
    *count = sizeof bytes;
    return bytes;
}
