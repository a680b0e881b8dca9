// Compresses with ISA-L, or with zlib where that is missing. Their functions are looked up by name.
#include "CPNGRuntime.h"
#include "library.h"
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <zlib.h>

static struct {
    __typeof__(&isal_deflate_init) init;
    __typeof__(&isal_deflate) deflate;
    __typeof__(&crc32_gzip_refl) crc;
} isal;

static struct {
    __typeof__(&deflateInit_) init;
    __typeof__(&deflate) deflate;
    __typeof__(&deflateEnd) end;
    __typeof__(&crc32) crc;
} zlib;

const char *png_isal_load(const char *name) {
    static struct library library = { PTHREAD_MUTEX_INITIALIZER, 0 };
    static const struct library_function functions[] = {
        { "isal_deflate_init", &isal.init },
        { "isal_deflate", &isal.deflate },
        { "crc32_gzip_refl", &isal.crc },
    };
    return library_load(&library, name, functions, sizeof functions / sizeof *functions);
}

const char *png_zlib_load(const char *name) {
    static struct library library = { PTHREAD_MUTEX_INITIALIZER, 0 };
    static const struct library_function functions[] = {
        { "deflateInit_", &zlib.init },
        { "deflate", &zlib.deflate },
        { "deflateEnd", &zlib.end },
        { "crc32", &zlib.crc },
    };
    return library_load(&library, name, functions, sizeof functions / sizeof *functions);
}

struct png_compressor {
    bool is_isal;
    union {
        struct {
            struct isal_zstream stream;
            // Larger ones make a picture smaller by less than a thousandth.
            uint8_t working_memory[ISAL_DEF_LVL1_SMALL];
        } isal;
        struct {
            z_stream stream;
            bool is_last;
        } zlib;
    };
};

png_compressor *png_compressor_create(bool is_isal) {
    png_compressor *compressor = malloc(sizeof *compressor);
    if (!compressor) return NULL;
    compressor->is_isal = is_isal;
    if (!is_isal) {
        compressor->zlib.stream = (z_stream){ 0 };
        // The fastest level, as ISA-L's.
        if (zlib.init(&compressor->zlib.stream, 1, ZLIB_VERSION, sizeof(z_stream)) == Z_OK) return compressor;
        free(compressor);
        return NULL;
    }
    struct isal_zstream *stream = &compressor->isal.stream;
    isal.init(stream);
    stream->gzip_flag = IGZIP_ZLIB;
    // As fast as level 0 with text, and smaller. Level 2 gives the same, and level 3 is slower than other libraries.
    stream->level = 1;
    stream->level_buf = compressor->isal.working_memory;
    stream->level_buf_size = sizeof compressor->isal.working_memory;
    return compressor;
}

void png_compressor_free(png_compressor *compressor) {
    if (!compressor->is_isal) zlib.end(&compressor->zlib.stream);
    free(compressor);
}

void png_compressor_put(png_compressor *compressor, const void *bytes, uint32_t count, bool is_last) {
    if (compressor->is_isal) {
        compressor->isal.stream.next_in = (uint8_t *)bytes;
        compressor->isal.stream.avail_in = count;
        compressor->isal.stream.end_of_stream = is_last;
    } else {
        compressor->zlib.stream.next_in = (Bytef *)bytes;
        compressor->zlib.stream.avail_in = count;
        compressor->zlib.is_last = is_last;
    }
}

// Neither library's deflate() fails, but for settings that do not exist.
uint32_t png_compressor_take(png_compressor *compressor, void *bytes, uint32_t capacity) {
    if (compressor->is_isal) {
        struct isal_zstream *stream = &compressor->isal.stream;
        if (stream->internal_state.state == ZSTATE_END) return 0;
        stream->next_out = bytes;
        stream->avail_out = capacity;
        isal.deflate(stream);
        return capacity - stream->avail_out;
    }
    z_stream *stream = &compressor->zlib.stream;
    stream->next_out = bytes;
    stream->avail_out = capacity;
    zlib.deflate(stream, compressor->zlib.is_last ? Z_FINISH : Z_NO_FLUSH);
    return capacity - stream->avail_out;
}

uint32_t png_compressor_crc(png_compressor *compressor, const void *bytes, size_t count) {
    return compressor->is_isal ? isal.crc(0, bytes, count) : zlib.crc(0, bytes, count);
}
