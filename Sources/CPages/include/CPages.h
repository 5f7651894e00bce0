#pragma once
#include <stddef.h>

/// A file of the folder `Public`, which is compiled into the program.
typedef struct {
    /// The path of the file's URL, such as `/page.css`.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t count;
} CPage;

/// Returns the file with this index, or NULL if the index is not less than the number of files. The files are
/// in no particular order.
const CPage *_Nullable cpages_at(size_t index);
