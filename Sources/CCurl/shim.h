// Typed wrappers for curl_easy_setopt, which is variadic and cannot be called from Swift.
#pragma once
#include <curl/curl.h>

static inline CURLcode curl_set_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode curl_set_pointer(CURL *curl, CURLoption option, void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode curl_set_string(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode curl_set_write(CURL *curl, curl_write_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
}
static inline CURLcode curl_get_status(CURL *curl, long *status) {
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
}
