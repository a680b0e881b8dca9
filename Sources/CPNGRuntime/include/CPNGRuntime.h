// The functions of libpng's simplified API that read a picture, found at run time: a server rarely reads one, and its start
// need not wait for the library.
#pragma once
#include <png.h>
#include <stddef.h>

/// Loads the library unless it is loaded. Returns NULL, or a description of the failure that is valid until the thread's next
/// call. Any thread may call it.
const char *png_runtime_load(const char *library);

// Only after the library was loaded:

/// png_image_begin_read_from_memory().
int png_runtime_begin_read(png_image *image, const void *file, size_t count);
/// png_image_finish_read() without a colour map.
int png_runtime_finish_read(png_image *image, const png_color *background, void *pixels, int stride);
/// png_image_free().
void png_runtime_free(png_image *image);
