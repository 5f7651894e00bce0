// Compiles the files of the folder `Languages` into the program, as Sources/CPages does with the pages.
#include "CLanguages.h"

#define LANGUAGE(tag) \
    CLanguagesFile clanguages_##tag(void) { return (CLanguagesFile){tag, sizeof tag}; }

static const unsigned char de[] = {
#embed "../../Languages/de.po"
};
LANGUAGE(de)

static const unsigned char es[] = {
#embed "../../Languages/es.po"
};
LANGUAGE(es)

static const unsigned char fr[] = {
#embed "../../Languages/fr.po"
};
LANGUAGE(fr)

static const unsigned char ja[] = {
#embed "../../Languages/ja.po"
};
LANGUAGE(ja)

static const unsigned char ko[] = {
#embed "../../Languages/ko.po"
};
LANGUAGE(ko)

static const unsigned char zh_Hans[] = {
#embed "../../Languages/zh-Hans.po"
};
LANGUAGE(zh_Hans)
