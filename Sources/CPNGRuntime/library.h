// Finds the functions of a library at run time.
#pragma once
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct library {
    pthread_mutex_t mutex;
    int is_loaded;
};

/// A function's name, and the address of the pointer to it.
struct library_function {
    const char *name;
    void *pointer;
};

// Called with the mutex held.
static inline const char *library_open(
    const char *name, const struct library_function *functions, size_t count)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (!function) return dlerror();
        *(void **)functions[i].pointer = function;
    }
    return NULL;
}

/// Loads a library unless it is loaded. Returns NULL, or dlerror()'s description.
static inline const char *library_load(
    struct library *library, const char *name, const struct library_function *functions, size_t count)
{
    pthread_mutex_lock(&library->mutex);
    const char *failure = library->is_loaded ? NULL : library_open(name, functions, count);
    if (!failure) library->is_loaded = 1;
    pthread_mutex_unlock(&library->mutex);
    return failure;
}
