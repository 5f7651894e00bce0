#pragma once
#include "on_demand.h"

/* Returns the address of a function, and stores it in `known`. Ends the program if there is none. To get an
   error instead, wrappers call `qring_open` before their first function. */
void *qring_address(enum qring_library library, const char *function, void **known);

/* The function of the library `LIBRARY` with this name. */
#define ON_DEMAND(name) \
    ({ \
        static void *known; \
        (__typeof__(&name))qring_address(LIBRARY, #name, &known); \
    })

/* Defines a function that calls the library's function of the same name. The compiler compares the types with
   those of the library's header. */
#define FORWARD(ret, name, params, args) \
    ret name params { return ON_DEMAND(name) args; }
