// The few functions of libpng that read a picture, and of ISA-L or zlib that compress one, found at run time: a server's start
// need not wait for libraries that it uses only for pictures.
#pragma once
#include <png.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Loads libpng unless it is loaded. Returns NULL, or a description of the failure that is valid until the thread's next call.
/// Any thread may call it.
const char *png_reader_load(const char *library);

// Only after libpng was loaded:

/// png_image_begin_read_from_memory().
int png_reader_begin(png_image *image, const void *file, size_t count);
/// png_image_finish_read() without a colour map.
int png_reader_finish(png_image *image, const png_color *background, void *pixels, int stride);
/// png_image_free().
void png_reader_free(png_image *image);

/// Loads ISA-L; otherwise like png_reader_load().
const char *png_isal_load(const char *library);
/// Loads zlib; otherwise like png_reader_load().
const char *png_zlib_load(const char *library);

/// Compresses one stream in zlib's format (RFC 1950).
typedef struct png_compressor png_compressor;
/// Only after one of the two was loaded: `is_isal` says which is used. Returns NULL if there is no memory.
png_compressor *png_compressor_create(bool is_isal);
void png_compressor_free(png_compressor *compressor);
/// Sets the next bytes to compress. They must stay as they are until png_compressor_take() has returned less than its capacity.
void png_compressor_put(png_compressor *compressor, const void *bytes, uint32_t count, bool is_last);
/// Writes compressed bytes, and returns their number: less than the capacity when all that was put is compressed, or kept
/// until more is put.
uint32_t png_compressor_take(png_compressor *compressor, void *bytes, uint32_t capacity);
/// The CRC of a PNG file's chunk.
uint32_t png_compressor_crc(png_compressor *compressor, const void *bytes, size_t count);
