#pragma once
#include <jansson.h>

/* Swift cannot import json_typeof and json_decref, because they are a macro and an inline function with
   atomics. These plain functions call them. */
static inline json_type qring_json_type(const json_t *value) { return json_typeof(value); }
static inline void qring_json_release(json_t *value) { json_decref(value); }
