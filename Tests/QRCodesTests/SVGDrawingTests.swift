import Testing

@testable import QRCodes

struct SVGDrawingTests {
    @Test(arguments: Sample.texts) func `zbar reads the exact text from the SVG that librsvg drew`(
        text: String
    ) throws {
        let code = try QRCode.encode(text)
        let picture = try Reader.rasterise(svg: code.svg(), width: 4 * code.sizeWithQuietZone)
        #expect(try Reader.decode(picture, suffix: "png") == text)
    }

    @Test func `zbar reads an SVG whose width in pixels is no multiple of a module`() throws {
        let code = try QRCode.encode(Sample.checkIn)
        #expect(
            try Reader.decode(Reader.rasterise(svg: code.svg(), width: 397), suffix: "png") == Sample.checkIn)
    }

    @Test func `the SVG is one path on white with the quiet zone, without script, style or text`() throws {
        let svg = try QRCode.encode(Sample.checkIn).svg()
        #expect(svg.contains(#"viewBox="0 0 41 41" shape-rendering="crispEdges""#))
        #expect(svg.contains(##"<rect width="41" height="41" fill="#fff"/>"##))
        #expect(svg.split(separator: "<path").count == 2)
        // The finder pattern's upper edge is seven modules wide, and four modules from the left and the
        // top.
        #expect(svg.contains("d=\"M4 4h7v1h-7z"))
        for word in ["<script", "<style", "<text", "href", "C/0123"] { #expect(!svg.contains(word)) }
    }
}
