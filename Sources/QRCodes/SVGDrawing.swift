extension QRCode {
    /// Returns a complete SVG document with a white background, the quiet zone and one black path. It
    /// contains no script and no style sheet.
    ///
    /// One unit of the `viewBox` is one module, so the image can be scaled to any size. With `crispEdges`,
    /// renderers draw no grey lines between modules.
    package func svg() -> String {
        let side = sizeWithQuietZone
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path fill="#000" d="\(path)"/>
            </svg>

            """
    }

    /// The path data, with one rectangle for each run of dark modules in a row.
    private var path: String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while isDark(x, y) { x += 1 }
                if x > start {
                    path += "M\(start + Self.quietZone) \(y + Self.quietZone)h\(x - start)v1h-\(x - start)z"
                } else {
                    x += 1
                }
            }
        }
        return path
    }
}
