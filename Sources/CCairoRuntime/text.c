// Draws text with libcairo, whose functions are looked up by name.
#include "CCairoRuntime.h"
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

// Types and numbers of cairo's stable binary interface.
typedef struct { double ascent, descent, height, max_x_advance, max_y_advance; } font_extents;
typedef struct { double x_bearing, y_bearing, width, height, x_advance, y_advance; } text_extents;
enum { STATUS_SUCCESS = 0, FORMAT_ARGB32 = 0, SLANT_NORMAL = 0, WEIGHT_BOLD = 1, ANTIALIAS_GRAY = 2, HINT_METRICS_OFF = 1 };

static struct {
    void *(*surface_create)(unsigned char *, int, int, int, int);
    void (*surface_destroy)(void *);
    void *(*create)(void *);
    void (*destroy)(void *);
    int (*status)(void *);
    void *(*options_create)(void);
    void (*options_destroy)(void *);
    void (*options_set_antialias)(void *, int);
    void (*options_set_hint_metrics)(void *, int);
    void (*set_font_options)(void *, const void *);
    void (*select_font_face)(void *, const char *, int, int);
    void (*set_font_size)(void *, double);
    void (*font_extents)(void *, font_extents *);
    void (*text_extents)(void *, const char *, text_extents *);
    void (*set_source_rgba)(void *, double, double, double, double);
    void (*move_to)(void *, double, double);
    void (*show_text)(void *, const char *);
} cairo;

// The canvas is a cairo_t; it keeps its surface.

const char *cairo_runtime_load(const char *library)
{
    struct { const char *name; void *function; } const functions[] = {
        { "cairo_image_surface_create_for_data", &cairo.surface_create },
        { "cairo_surface_destroy", &cairo.surface_destroy },
        { "cairo_create", &cairo.create },
        { "cairo_destroy", &cairo.destroy },
        { "cairo_status", &cairo.status },
        { "cairo_font_options_create", &cairo.options_create },
        { "cairo_font_options_destroy", &cairo.options_destroy },
        { "cairo_font_options_set_antialias", &cairo.options_set_antialias },
        { "cairo_font_options_set_hint_metrics", &cairo.options_set_hint_metrics },
        { "cairo_set_font_options", &cairo.set_font_options },
        { "cairo_select_font_face", &cairo.select_font_face },
        { "cairo_set_font_size", &cairo.set_font_size },
        { "cairo_font_extents", &cairo.font_extents },
        { "cairo_text_extents", &cairo.text_extents },
        { "cairo_set_source_rgba", &cairo.set_source_rgba },
        { "cairo_move_to", &cairo.move_to },
        { "cairo_show_text", &cairo.show_text },
    };
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return dlerror();
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(handle, functions[i].name);
        if (!function)
            return dlerror();
        *(void **)functions[i].function = function;
    }
    return NULL;
}

void cairo_runtime_add_fonts(const char *folder)
{
    // fontconfig is loaded: libcairo needs it.
    void *handle = dlopen("libfontconfig.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!handle)
        return;
    // Of fontconfig's stable interface: the fonts of the system (0), whose structure begins with their number.
    const int *(*fonts)(void *, int) = (const int *(*)(void *, int))dlsym(handle, "FcConfigGetFonts");
    int (*add)(void *, const unsigned char *) = (int (*)(void *, const unsigned char *))dlsym(handle, "FcConfigAppFontAddDir");
    int (*start)(void) = (int (*)(void))dlsym(handle, "FcInit");
    if (start && fonts && add && start()) {
        const int *count = fonts(NULL, 0);
        if (!count || *count == 0)
            add(NULL, (const unsigned char *)folder);
    }
    dlclose(handle);
}

void *cairo_runtime_begin(void *pixels, int width, int height, int stride, double size)
{
    void *surface = cairo.surface_create(pixels, FORMAT_ARGB32, width, height, stride);
    // On failure these return objects that remember the error and draw nothing.
    void *canvas = cairo.create(surface);
    cairo.surface_destroy(surface);
    // Neither the system's colour fringes, which need an opaque background, nor widths that depend on the scale.
    void *options = cairo.options_create();
    cairo.options_set_antialias(options, ANTIALIAS_GRAY);
    cairo.options_set_hint_metrics(options, HINT_METRICS_OFF);
    cairo.set_font_options(canvas, options);
    cairo.options_destroy(options);
    cairo.select_font_face(canvas, "sans-serif", SLANT_NORMAL, WEIGHT_BOLD);
    cairo.set_font_size(canvas, size);
    return canvas;
}

double cairo_runtime_width(void *canvas, const char *text)
{
    text_extents extents = { 0 };
    cairo.text_extents(canvas, text, &extents);
    return extents.x_advance;
}

void cairo_runtime_show(void *canvas, const char *text, double height, uint32_t color)
{
    font_extents extents = { 0 };
    cairo.font_extents(canvas, &extents);
    cairo.move_to(canvas, 0, round((height + extents.ascent - extents.descent) / 2));
    cairo.set_source_rgba(
        canvas, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0, (color & 0xff) / 255.0, (color >> 24) / 255.0);
    cairo.show_text(canvas, text);
}

bool cairo_runtime_end(void *canvas)
{
    bool succeeded = cairo.status(canvas) == STATUS_SUCCESS;
    // Frees the surface too, which completes the drawing.
    cairo.destroy(canvas);
    return succeeded;
}
