#pragma once
#include <stddef.h>

/// The contents of `Languages/ko.po`; `*count` is set to their length.
const unsigned char *_Nonnull clanguages_korean(size_t *_Nonnull count);
