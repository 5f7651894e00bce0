/* The functions of libcurl that this program calls. */
#include "forward.h"

#include <stdarg.h>

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define LIBRARY QRING_CURL

FORWARD(void, curl_easy_cleanup, (CURL *a), (a))
FORWARD(CURL *, curl_easy_init, (void), ())
FORWARD(void, curl_easy_reset, (CURL *a), (a))
FORWARD(const char *, curl_easy_strerror, (CURLcode a), (a))
FORWARD(CURLcode, curl_global_init, (long a), (a))
FORWARD(CURLMcode, curl_multi_add_handle, (CURLM *a, CURL *b), (a, b))
FORWARD(CURLMcode, curl_multi_cleanup, (CURLM *a), (a))
FORWARD(CURLMsg *, curl_multi_info_read, (CURLM *a, int *b), (a, b))
FORWARD(CURLM *, curl_multi_init, (void), ())
FORWARD(CURLMcode, curl_multi_perform, (CURLM *a, int *b), (a, b))
FORWARD(
    CURLMcode, curl_multi_poll,
    (CURLM *a, struct curl_waitfd *b, unsigned int c, int d, int *e),
    (a, b, c, d, e))
FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM *a, CURL *b), (a, b))
FORWARD(time_t, curl_getdate, (const char *a, const time_t *b), (a, b))
FORWARD(struct curl_slist *, curl_slist_append, (struct curl_slist *a, const char *b), (a, b))
FORWARD(void, curl_slist_free_all, (struct curl_slist *a), (a))

/* The last argument is a long, a pointer or a curl_off_t, depending on the option. On the machines that this
   program runs on, all three have the size of a pointer and are passed in the same way. */
_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *), "one size");

#define FORWARD_OPTION(ret, name, Handle, Option) \
    ret name(Handle *handle, Option option, ...) { \
        va_list list; \
        va_start(list, option); \
        void *value = va_arg(list, void *); \
        va_end(list); \
        return ON_DEMAND(name)(handle, option, value); \
    }

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
FORWARD_OPTION(CURLcode, curl_easy_setopt, CURL, CURLoption)
FORWARD_OPTION(CURLcode, curl_easy_getinfo, CURL, CURLINFO)
FORWARD_OPTION(CURLMcode, curl_multi_setopt, CURLM, CURLMoption)
