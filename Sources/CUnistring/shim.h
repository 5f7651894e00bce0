#pragma once
#include <unicase.h>
#include <uninorm.h>

/* UNINORM_NFC and UNINORM_NFKC are macros that Swift cannot import. */
static inline uninorm_t qring_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t qring_nfkc(void) { return UNINORM_NFKC; }
