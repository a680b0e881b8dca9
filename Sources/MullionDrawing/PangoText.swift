// Creates Pango's objects.

import CMullionCairo
import CMullionPango
import MullionClient

/// Creates Pango's objects, for text that is drawn the same on every machine with the same fonts.
enum PangoText {
    /// Pango counts in 1/1024 of a point.
    static func points(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }

    /// At most 32,768 points, as Pango's numbers have 32 bits.
    static func units(_ points: Double) -> Int32 {
        points.isNaN ? 0 : Int32(min(max(points, 0), 32_768) * Double(PANGO_SCALE))
    }

    /// A context for layouts; release it with g_object_unref.
    @unsafe static func makeContext() -> OpaquePointer? {
        let context = unsafe pango_font_map_create_context(pango_cairo_font_map_get_default())
        // Without hinting, the same text has the same pixels and the same widths at every scale.
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(context, 0)
        return unsafe context
    }

    static func withDescription<Result>(of font: Font, _ body: (OpaquePointer?) -> Result) -> Result {
        let description = unsafe pango_font_description_new()
        defer { unsafe pango_font_description_free(description) }
        unsafe pango_font_description_set_family(description, font.family)
        let size = font.size.isNaN ? 0 : min(max(font.size, 0), 4096)
        unsafe pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
        unsafe pango_font_description_set_weight(description, PangoWeight(UInt32(font.weight.rawValue)))
        unsafe pango_font_description_set_style(description, font.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
        return unsafe body(description)
    }

    /// The attributes of a run, for bytes `start` to `end`.
    @unsafe static func add(_ run: Text.Run, from start: Int, to end: Int, to list: OpaquePointer?) {
        func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
            guard let attribute = unsafe attribute else { return }
            unsafe attribute.pointee.start_index = UInt32(start)
            unsafe attribute.pointee.end_index = UInt32(end)
            unsafe pango_attr_list_insert(list, attribute)
        }
        unsafe withDescription(of: run.font) { unsafe insert(pango_attr_font_desc_new($0)) }
        func component(_ value: Double) -> UInt16 { UInt16((value * 65535).rounded()) }
        let color = run.color
        unsafe insert(
            pango_attr_foreground_new(component(color.red), component(color.green), component(color.blue)))
        // To Pango, 0 means that no opacity is set.
        unsafe insert(pango_attr_foreground_alpha_new(max(1, component(color.alpha))))
        if run.isUnderlined { unsafe insert(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE)) }
    }
}
