#pragma once
#include <curl/curl.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, and the type of their last argument
   depends on the option. Swift cannot call them, so this header has one function for each type. The caller
   must choose the function for the type that curl_easy_setopt(3) lists for the option. */
static inline CURLcode qring_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
/* Sets an option with a text, which libcurl copies. Not for CURLOPT_POSTFIELDS, whose text libcurl does not
   copy. */
static inline CURLcode qring_curl_set_text(CURL *handle, CURLoption option, const char *text) {
    return curl_easy_setopt(handle, option, text);
}
static inline CURLcode qring_curl_set_body(CURL *handle, const void *bytes, curl_off_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, count);
    /* The size must be set before the body (CURLOPT_COPYPOSTFIELDS(3)). */
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, (const char *)bytes) : code;
}
static inline CURLcode qring_curl_set_headers(CURL *handle, struct curl_slist *list) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}
static inline CURLcode qring_curl_set_private(CURL *handle, void *pointer) {
    return curl_easy_setopt(handle, CURLOPT_PRIVATE, pointer);
}
static inline CURLcode qring_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}
typedef size_t (*qring_curl_sink)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode qring_curl_set_sinks(
    CURL *handle, qring_curl_sink body, qring_curl_sink header, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    return code;
}
static inline CURLcode qring_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode qring_curl_get_private(CURL *handle, void **pointer) {
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)pointer);
}
static inline CURLMcode qring_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
/* Calls curl_global_init(3). Swift cannot import CURL_GLOBAL_ALL, because it is a macro with a cast. */
static inline CURLcode qring_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_ALL); }

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

typedef curl_socket_t (*qring_curl_opener)(
    void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode qring_curl_set_opener(CURL *handle, qring_curl_opener opener, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context) : code;
}
/* Copies the address to which libcurl is about to connect into `bytes`, which must have 16 bytes. Returns the
   number of copied bytes: 4 or 16, or 0 if the address is neither IPv4 nor IPv6. */
static inline int qring_curl_address(const struct curl_sockaddr *address, unsigned char *bytes) {
    const void *plain = &address->addr;
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)plain)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)plain)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
static inline curl_socket_t qring_curl_open(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* For SMTP (CURLOPT_MAIL_RCPT(3)). libcurl does not copy the list of recipients. */
static inline CURLcode qring_curl_set_recipients(CURL *handle, struct curl_slist *list) {
    return curl_easy_setopt(handle, CURLOPT_MAIL_RCPT, list);
}
typedef size_t (*qring_curl_source)(char *room, size_t size, size_t count, void *context);
static inline CURLcode qring_curl_set_source(
    CURL *handle, qring_curl_source source, void *context, curl_off_t count) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, source);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_READDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, count);
    return code;
}
typedef int (*qring_curl_debug)(
    CURL *handle, curl_infotype type, char *bytes, size_t count, void *context);
static inline CURLcode qring_curl_set_debug(CURL *handle, qring_curl_debug debug, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, debug);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
    return code;
}
