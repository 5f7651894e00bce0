// Compiles the folder `Public` into the program with C23's #embed (N3220 §6.10.4). An array of numbers in Swift
// takes the compiler a second for every 4 KB. The compiler notes each embedded file as a dependency, so that a
// changed page is compiled again. `files.inc` is the only list of the files: it is included here for their bytes,
// and embedded itself for their names.
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
