#pragma once
#include <cairo-pdf.h>
#include <pango/pangocairo.h>

/// Sets the title that PDF readers show for the document.
static inline void qring_pdf_set_title(cairo_surface_t *surface, const char *title) {
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title);
}

/// Sets the font size in points, converted to Pango units.
static inline void qring_font_set_points(PangoFontDescription *font, double points) {
    pango_font_description_set_absolute_size(font, points * PANGO_SCALE);
}

static inline void qring_layout_set_width(PangoLayout *layout, double points) {
    pango_layout_set_width(layout, pango_units_from_double(points));
}

/// Returns the height of the layout's text, in points.
static inline double qring_layout_height(PangoLayout *layout) {
    int width = 0, height = 0;
    pango_layout_get_size(layout, &width, &height);
    return pango_units_to_double(height);
}
