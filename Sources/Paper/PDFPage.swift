private import CPangoCairo
import OnDemand

/// A page of a PDF document, with texts, filled rectangles and links. Lengths are in points (1/72 inch),
/// measured from the top left corner.
///
/// The text uses the fonts of the machine, which fontconfig finds. A character that no font contains is drawn
/// as an empty box. A page can be drawn even if the machine has no fonts. Drawing takes some tens of
/// milliseconds, so it must not run on an event loop.
package struct PDFPage: Sendable {
    /// The width of an A4 page in portrait format. `height` is its height.
    package static let width = 595.28
    package static let height = 841.89

    package struct Size: Hashable, Sendable {
        package let width: Double
        package let height: Double

        package static let a4 = Size(width: PDFPage.width, height: PDFPage.height)

        package init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
    }

    /// A colour. Each part is 0 to 255.
    package struct Ink: Hashable, Sendable {
        let red: UInt8
        let green: UInt8
        let blue: UInt8

        package static let black = Ink(red: 0, green: 0, blue: 0)

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }
    }

    /// The side of a paragraph's box to which its lines move.
    package enum Alignment: Hashable, Sendable { case centre, leading }

    private struct Text {
        let text: String
        let left: Double
        let top: Double
        let width: Double
        let most: Double
        let points: Double
        let isBold: Bool
        let ink: Ink
        let alignment: Alignment
    }

    private struct Rectangle {
        let left: Double
        let top: Double
        let width: Double
        let height: Double
        let ink: Ink
    }

    private struct Link {
        let address: String
        let left: Double
        let top: Double
        let width: Double
        let height: Double
    }

    private let title: String
    private let size: Size
    private var texts: [Text] = []
    private var rectangles: [Rectangle] = []
    private var links: [Link] = []

    /// - Parameter title: the title of the document.
    package init(title: String, size: Size = .a4) { (self.title, self.size) = (title, size) }

    /// Adds a paragraph. If the paragraph would be higher than `most`, its font is made smaller, but
    /// not below a third of `points`. If the text still does not fit, it is cut and ends with an ellipsis.
    /// - Parameter width: the width of the paragraph; by default, that of an A4 page without its margins.
    package mutating func add(
        text: String, top: Double, most: Double, points: Double, isBold: Bool = false,
        left: Double = margin, width: Double = PDFPage.width - 2 * margin, ink: Ink = .black,
        alignment: Alignment = .centre
    ) {
        texts.append(
            Text(
                text: text, left: left, top: top, width: width, most: most, points: points, isBold: isBold,
                ink: ink, alignment: alignment))
    }

    /// Adds a black square.
    package mutating func addSquare(left: Double, top: Double, side: Double) {
        addRectangle(left: left, top: top, width: side, height: side)
    }

    /// Adds a filled rectangle.
    package mutating func addRectangle(
        left: Double, top: Double, width: Double, height: Double, ink: Ink = .black
    ) {
        rectangles.append(Rectangle(left: left, top: top, width: width, height: height, ink: ink))
    }

    /// Makes a part of the page a link. Traps if the address contains a quotation mark or a backslash, which
    /// no address of this program does.
    package mutating func addLink(
        to address: String, left: Double, top: Double, width: Double, height: Double
    ) {
        precondition(!address.contains { $0 == "'" || $0 == "\\" }, "an address without quotation marks")
        links.append(Link(address: address, left: left, top: top, width: width, height: height))
    }

    /// Draws the page and returns the bytes of the PDF document.
    ///
    /// - Throws: as `document`.
    package func bytes() throws(PaperError) -> [UInt8] { try Self.document([self]) }

    /// Draws pages and returns the bytes of the PDF document, with the title and the size of the first page.
    ///
    /// - Throws: the reason of cairo, if there is not enough memory; the missing library.
    package static func document(_ pages: [PDFPage]) throws(PaperError) -> [UInt8] {
        let first = pages.first ?? PDFPage(title: "")
        do throws(MissingLibrary) { try OnDemandLibrary.pango.open() } catch {
            throw PaperError(reason: error.reason)
        }
        let output = Output()
        let surface = cairo_pdf_surface_create_for_stream(
            { closure, data, count in
                guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
                Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue().bytes += UnsafeBufferPointer(
                    start: data, count: Int(count))
                return CAIRO_STATUS_SUCCESS
            }, Unmanaged.passUnretained(output).toOpaque(), first.size.width, first.size.height)
        // "This function always returns a valid pointer": on an error, it points to an error surface, on
        // which drawing has no effect.
        defer { cairo_surface_destroy(surface) }
        qring_pdf_set_title(surface, first.title)
        let context = cairo_create(surface)
        // Each call creates its own font map, because threads cannot safely share a font map.
        let fonts = pango_cairo_font_map_new()
        for page in pages {
            for text in page.texts { draw(text, context, fonts) }
            fill(page.rectangles, context)
            for link in page.links {
                let place = "\(link.left) \(link.top) \(link.width) \(link.height)"
                cairo_tag_begin(context, CAIRO_TAG_LINK, "rect=[\(place)] uri='\(link.address)'")
                cairo_tag_end(context, CAIRO_TAG_LINK)
            }
            cairo_show_page(context)
        }
        let drawn = cairo_status(context)
        cairo_destroy(context)
        g_object_unref(fonts)
        cairo_surface_finish(surface)
        let finished = cairo_surface_status(surface)
        for status in [drawn, finished] where status != CAIRO_STATUS_SUCCESS {
            throw PaperError(reason: String(cString: cairo_status_to_string(status)))
        }
        // The stream writes to `output` until the surface is finished.
        return withExtendedLifetime(output) { output.bytes }
    }

    /// The margins of an A4 page.
    package static let margin = 56.7
    private static let smallest = 3.0

    /// Fills neighbours of one colour together, so that no light lines appear between them.
    private static func fill(_ rectangles: [Rectangle], _ context: OpaquePointer?) {
        for (index, one) in rectangles.enumerated() {
            cairo_rectangle(context, one.left, one.top, one.width, one.height)
            guard index + 1 == rectangles.count || rectangles[index + 1].ink != one.ink else { continue }
            use(one.ink, context)
            cairo_fill(context)
        }
    }

    private static func use(_ ink: Ink, _ context: OpaquePointer?) {
        cairo_set_source_rgb(
            context, Double(ink.red) / 255, Double(ink.green) / 255, Double(ink.blue) / 255)
    }

    private static func draw(
        _ text: Text, _ context: OpaquePointer?, _ fonts: UnsafeMutablePointer<PangoFontMap>?
    ) {
        let pango = pango_font_map_create_context(fonts)
        defer { g_object_unref(UnsafeMutableRawPointer(pango)) }
        let layout = pango_layout_new(pango)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let font = pango_font_description_from_string(text.isBold ? "Sans Bold" : "Sans")
        defer { pango_font_description_free(font) }
        pango_layout_set_text(layout, text.text, -1)
        pango_layout_set_alignment(
            layout, text.alignment == .centre ? PANGO_ALIGN_CENTER : PANGO_ALIGN_LEFT)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        qring_layout_set_width(layout, text.width)
        var size = text.points
        repeat {
            qring_font_set_points(font, size)
            pango_layout_set_font_description(layout, font)
            if qring_layout_height(layout) <= text.most { break }
            size *= 0.9
        } while size > text.points / Self.smallest
        pango_layout_set_height(layout, pango_units_from_double(text.most))
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        use(text.ink, context)
        cairo_move_to(context, text.left, text.top)
        pango_cairo_update_context(context, pango)
        pango_cairo_show_layout(context, layout)
        cairo_new_path(context)
    }

    /// The bytes that the stream has written. Only the drawing thread uses this object.
    private final class Output {
        var bytes: [UInt8] = []
    }
}

/// A page that could not be drawn.
package struct PaperError: Error, Sendable {
    /// The error message of cairo.
    package let reason: String
}
