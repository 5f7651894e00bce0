#pragma once
#include <jansson.h>

/* json_typeof and json_decref are macros or inline with atomics; these give Swift plain functions. */
static inline json_type qring_json_type(const json_t *value) { return json_typeof(value); }
static inline void qring_json_release(json_t *value) { json_decref(value); }
