#pragma once
#include <stddef.h>

/// The contents of a file of the folder `Languages`.
typedef struct {
    const unsigned char *_Nonnull bytes;
    size_t count;
} CLanguagesFile;

CLanguagesFile clanguages_de(void);
CLanguagesFile clanguages_es(void);
CLanguagesFile clanguages_fr(void);
CLanguagesFile clanguages_ja(void);
CLanguagesFile clanguages_ko(void);
CLanguagesFile clanguages_zh_Hans(void);
