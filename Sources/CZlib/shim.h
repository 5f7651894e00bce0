#pragma once
#include <zlib.h>

/// `deflateInit2` is a macro, which Swift cannot call.
static inline int czlib_deflate_init(z_stream *stream, int level, int window_bits, int memory, int strategy) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory, strategy);
}
