#pragma once
#include <stddef.h>

/// The text of `files.inc`, which has one line for each file of the folder `Public`: `#embed FILE(page.css)`.
const char *_Nonnull cpages_list(void);

/// The contents of these files in the same order, each followed by a NUL; `*count` is set to their length.
const unsigned char *_Nonnull cpages_bytes(size_t *_Nonnull count);
