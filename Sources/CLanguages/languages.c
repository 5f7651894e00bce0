// Compiles the files of the folder `Languages` into the program, as Sources/CPages does with the pages.
#include "CLanguages.h"

static const unsigned char korean[] = {
#embed "../../Languages/ko.po"
};

const unsigned char *clanguages_korean(size_t *count) {
    *count = sizeof korean;
    return korean;
}
