// The few functions of libcairo that draw a line of text, found at run time, so that the server needs neither its time at
// the start nor its memory until it draws one, and runs without it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Loads the library unless it is loaded. Returns NULL, or a description of the mistake that is valid until the next call.
const char *cairo_runtime_load(const char *library);

/// Draws with the fonts of a folder where the system has none. Only after the library was loaded.
void cairo_runtime_add_fonts(const char *folder);

/// Begins to draw into an image of premultiplied native-endian ARGB; `stride` is in bytes, `size` is the font's, in pixels.
/// Only after the library was loaded. Every canvas must be ended.
void *cairo_runtime_begin(void *pixels, int width, int height, int stride, double size);
/// The width of a UTF-8 text in pixels.
double cairo_runtime_width(void *canvas, const char *text);
/// Draws a UTF-8 text at the left edge, in the middle of a height in pixels; `color` is 0xAARRGGBB.
void cairo_runtime_show(void *canvas, const char *text, double height, uint32_t color);
/// Ends drawing and frees the canvas. Returns whether everything succeeded.
bool cairo_runtime_end(void *canvas);
