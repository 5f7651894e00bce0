#include "cre2.h"

#include <re2/re2.h>

struct qring_re2 {
    re2::RE2 expression;

    qring_re2(re2::StringPiece pattern, const re2::RE2::Options &options) : expression(pattern, options) {}
};

qring_re2 *qring_re2_compile(const char *pattern, size_t length, int64_t max_memory) {
    re2::RE2::Options options;
    options.set_encoding(re2::RE2::Options::EncodingUTF8);
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_max_mem(max_memory);
    return new qring_re2(re2::StringPiece(pattern, length), options);
}

const char *qring_re2_error(const qring_re2 *pattern) {
    return pattern->expression.ok() ? nullptr : pattern->expression.error().c_str();
}

int qring_re2_matches(const qring_re2 *pattern, const char *text, size_t length) {
    return re2::RE2::PartialMatch(re2::StringPiece(text, length), pattern->expression);
}

int qring_re2_steps(const qring_re2 *pattern) {
    return pattern->expression.ok() ? pattern->expression.ProgramSize() : 0;
}

void qring_re2_release(qring_re2 *pattern) { delete pattern; }
