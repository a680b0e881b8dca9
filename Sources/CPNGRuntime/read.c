// Reads PNG files with libpng, whose functions are looked up by name.
#include "CPNGRuntime.h"
#include "library.h"

static struct {
    __typeof__(&png_image_begin_read_from_memory) begin_read;
    __typeof__(&png_image_finish_read) finish_read;
    __typeof__(&png_image_free) free;
} png;

const char *png_reader_load(const char *name) {
    static struct library library = { PTHREAD_MUTEX_INITIALIZER, 0 };
    static const struct library_function functions[] = {
        { "png_image_begin_read_from_memory", &png.begin_read },
        { "png_image_finish_read", &png.finish_read },
        { "png_image_free", &png.free },
    };
    return library_load(&library, name, functions, sizeof functions / sizeof *functions);
}

int png_reader_begin(png_image *image, const void *file, size_t count) {
    return png.begin_read(image, file, count);
}

int png_reader_finish(png_image *image, const png_color *background, void *pixels, int stride) {
    return png.finish_read(image, background, pixels, stride, NULL);
}

void png_reader_free(png_image *image) { png.free(image); }
