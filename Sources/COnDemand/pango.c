/* The functions of Pango, cairo and GObject that this program calls. */
#include "forward.h"

#include <cairo-pdf.h>
#include <pango/pangocairo.h>

#define LIBRARY QRING_PANGO

FORWARD(cairo_t *, cairo_create, (cairo_surface_t *a), (a))
FORWARD(void, cairo_destroy, (cairo_t *a), (a))
FORWARD(void, cairo_fill, (cairo_t *a), (a))
FORWARD(void, cairo_move_to, (cairo_t *a, double b, double c), (a, b, c))
FORWARD(void, cairo_new_path, (cairo_t *a), (a))
FORWARD(
    cairo_surface_t *, cairo_pdf_surface_create_for_stream,
    (cairo_write_func_t a, void *b, double c, double d),
    (a, b, c, d))
FORWARD(
    void, cairo_pdf_surface_set_metadata,
    (cairo_surface_t *a, cairo_pdf_metadata_t b, const char *c),
    (a, b, c))
FORWARD(void, cairo_rectangle, (cairo_t *a, double b, double c, double d, double e), (a, b, c, d, e))
FORWARD(void, cairo_set_source_rgb, (cairo_t *a, double b, double c, double d), (a, b, c, d))
FORWARD(void, cairo_show_page, (cairo_t *a), (a))
FORWARD(cairo_status_t, cairo_status, (cairo_t *a), (a))
FORWARD(const char *, cairo_status_to_string, (cairo_status_t a), (a))
FORWARD(void, cairo_surface_destroy, (cairo_surface_t *a), (a))
FORWARD(void, cairo_surface_finish, (cairo_surface_t *a), (a))
FORWARD(cairo_status_t, cairo_surface_status, (cairo_surface_t *a), (a))
FORWARD(void, cairo_tag_begin, (cairo_t *a, const char *b, const char *c), (a, b, c))
FORWARD(void, cairo_tag_end, (cairo_t *a, const char *b), (a, b))
FORWARD(void, g_object_unref, (gpointer a), (a))
FORWARD(PangoFontMap *, pango_cairo_font_map_new, (void), ())
FORWARD(void, pango_cairo_show_layout, (cairo_t *a, PangoLayout *b), (a, b))
FORWARD(void, pango_cairo_update_context, (cairo_t *a, PangoContext *b), (a, b))
FORWARD(void, pango_font_description_free, (PangoFontDescription *a), (a))
FORWARD(PangoFontDescription *, pango_font_description_from_string, (const char *a), (a))
FORWARD(void, pango_font_description_set_absolute_size, (PangoFontDescription *a, double b), (a, b))
FORWARD(PangoContext *, pango_font_map_create_context, (PangoFontMap *a), (a))
FORWARD(void, pango_layout_get_size, (PangoLayout *a, int *b, int *c), (a, b, c))
FORWARD(PangoLayout *, pango_layout_new, (PangoContext *a), (a))
FORWARD(void, pango_layout_set_alignment, (PangoLayout *a, PangoAlignment b), (a, b))
FORWARD(void, pango_layout_set_ellipsize, (PangoLayout *a, PangoEllipsizeMode b), (a, b))
FORWARD(void, pango_layout_set_font_description, (PangoLayout *a, const PangoFontDescription *b), (a, b))
FORWARD(void, pango_layout_set_height, (PangoLayout *a, int b), (a, b))
FORWARD(void, pango_layout_set_text, (PangoLayout *a, const char *b, int c), (a, b, c))
FORWARD(void, pango_layout_set_width, (PangoLayout *a, int b), (a, b))
FORWARD(void, pango_layout_set_wrap, (PangoLayout *a, PangoWrapMode b), (a, b))
FORWARD(int, pango_units_from_double, (double a), (a))
FORWARD(double, pango_units_to_double, (int a), (a))
