// Reads PNG files with libpng, whose functions are looked up by name.
#include "CPNGRuntime.h"
#include <dlfcn.h>
#include <pthread.h>

static struct {
    __typeof__(&png_image_begin_read_from_memory) begin_read;
    __typeof__(&png_image_finish_read) finish_read;
    __typeof__(&png_image_free) free;
} png;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded;

// Called with the mutex held.
static const char *load(const char *library) {
    struct { const char *name; void *function; } const functions[] = {
        { "png_image_begin_read_from_memory", &png.begin_read },
        { "png_image_finish_read", &png.finish_read },
        { "png_image_free", &png.free },
    };
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (!function) return dlerror();
        *(void **)functions[i].function = function;
    }
    is_loaded = 1;
    return NULL;
}

const char *png_runtime_load(const char *library) {
    pthread_mutex_lock(&mutex);
    const char *failure = is_loaded ? NULL : load(library);
    pthread_mutex_unlock(&mutex);
    return failure;
}

int png_runtime_begin_read(png_image *image, const void *file, size_t count) {
    return png.begin_read(image, file, count);
}

int png_runtime_finish_read(png_image *image, const png_color *background, void *pixels, int stride) {
    return png.finish_read(image, background, pixels, stride, NULL);
}

void png_runtime_free(png_image *image) { png.free(image); }
