// Compresses with ISA-L, whose functions are looked up by name.
#include "CPNGRuntime.h"
#include "library.h"
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

static struct {
    __typeof__(&isal_deflate_init) init;
    __typeof__(&isal_deflate) deflate;
    __typeof__(&crc32_gzip_refl) crc;
} isal;

const char *png_compressor_load(const char *name) {
    static struct library library = { PTHREAD_MUTEX_INITIALIZER, 0 };
    static const struct library_function functions[] = {
        { "isal_deflate_init", &isal.init },
        { "isal_deflate", &isal.deflate },
        { "crc32_gzip_refl", &isal.crc },
    };
    return library_load(&library, name, functions, sizeof functions / sizeof *functions);
}

struct png_compressor {
    struct isal_zstream stream;
    // Larger ones make a picture smaller by less than a thousandth.
    uint8_t working_memory[ISAL_DEF_LVL1_SMALL];
};

png_compressor *png_compressor_create(void) {
    png_compressor *compressor = malloc(sizeof *compressor);
    if (!compressor) return NULL;
    struct isal_zstream *stream = &compressor->stream;
    isal.init(stream);
    stream->gzip_flag = IGZIP_ZLIB;
    // As fast as level 0 with text, and smaller. Level 2 gives the same, and level 3 is slower than other libraries.
    stream->level = 1;
    stream->level_buf = compressor->working_memory;
    stream->level_buf_size = sizeof compressor->working_memory;
    return compressor;
}

void png_compressor_free(png_compressor *compressor) { free(compressor); }

void png_compressor_put(png_compressor *compressor, const void *bytes, uint32_t count, bool is_last) {
    compressor->stream.next_in = (uint8_t *)bytes;
    compressor->stream.avail_in = count;
    compressor->stream.end_of_stream = is_last;
}

uint32_t png_compressor_take(png_compressor *compressor, void *bytes, uint32_t capacity) {
    struct isal_zstream *stream = &compressor->stream;
    if (stream->internal_state.state == ZSTATE_END) return 0;
    stream->next_out = bytes;
    stream->avail_out = capacity;
    // Fails only for settings that do not exist.
    isal.deflate(stream);
    return capacity - stream->avail_out;
}

uint32_t png_compressor_crc(const void *bytes, size_t count) { return isal.crc(0, bytes, count); }
