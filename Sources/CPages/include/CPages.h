#pragma once
#include <stddef.h>

/// A file of the folder `Public`, compiled in.
typedef struct {
    /// As it is asked for: `/page.css`.
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t count;
} CPage;

/// The files, in no order; ends before the first index for which this is NULL.
const CPage *_Nullable cpages_at(size_t index);
