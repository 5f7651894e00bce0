/* The functions of libjq that this program calls. */
#include "forward.h"

#include <jq.h>
#include <jv.h>

#define LIBRARY QRING_JQ

FORWARD(int, jq_compile, (jq_state *a, const char *b), (a, b))
FORWARD(jv, jq_format_error, (jv a), (a))
FORWARD(jq_state *, jq_init, (void), ())
FORWARD(jv, jq_next, (jq_state *a), (a))
FORWARD(void, jq_set_error_cb, (jq_state *a, jq_msg_cb b, void *c), (a, b, c))
FORWARD(void, jq_start, (jq_state *a, jv b, int c), (a, b, c))
FORWARD(void, jq_teardown, (jq_state **a), (a))
FORWARD(jv, jv_copy, (jv a), (a))
FORWARD(jv, jv_dump_string, (jv a, int b), (a, b))
FORWARD(void, jv_free, (jv a), (a))
FORWARD(jv_kind, jv_get_kind, (jv a), (a))
FORWARD(jv, jv_invalid_get_msg, (jv a), (a))
FORWARD(int, jv_invalid_has_msg, (jv a), (a))
FORWARD(jv, jv_parse_sized, (const char *a, int b), (a, b))
FORWARD(int, jv_string_length_bytes, (jv a), (a))
FORWARD(const char *, jv_string_value, (jv a), (a))
