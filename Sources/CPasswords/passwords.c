// Compiles the list of well-known passwords into the program with C23's #embed (N3220 §6.10.4). The file has
// one password of at least eight characters in each line, in lower case, sorted by its bytes.
#include "CPasswords.h"

static const unsigned char bytes[] = {
#embed "well-known.txt"
};

const unsigned char *cpasswords_bytes(size_t *count) {
    *count = sizeof bytes;
    return bytes;
}
