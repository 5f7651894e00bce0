#pragma once
#include <stddef.h>

/// The lines of `well-known.txt`, each followed by a line feed; `*count` is set to their length in bytes.
const unsigned char *_Nonnull cpasswords_bytes(size_t *_Nonnull count);
