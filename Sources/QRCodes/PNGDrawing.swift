internal import CPNG

extension QRCode {
    /// Pixels a side of the pictures that are drawn.
    package static let pngSizes = 64...4096

    /// A PNG of exactly `size` × `size` pixels, two colours, one bit a pixel.
    ///
    /// Every module is a square of the same whole number of pixels, as many as fit; what is left widens the
    /// quiet zone.
    /// - Parameter size: 64…4096 pixels a side.
    /// - Throws: `pictureTooSmall` also where `size` leaves less than a pixel a module.
    package func png(size: Int) throws(QRCodeError) -> [UInt8] {
        let minimum = max(Self.pngSizes.lowerBound, sizeWithQuietZone)
        guard size >= minimum else { throw .pictureTooSmall(pixels: size, minimum: minimum) }
        guard size <= Self.pngSizes.upperBound else {
            throw .pictureTooLarge(pixels: size, maximum: Self.pngSizes.upperBound)
        }
        return try draw(size: size, modulePixels: size / sizeWithQuietZone)
    }

    /// A PNG whose modules are `modulePixels` pixels wide; with its quiet zone it has `modulePixels ×
    /// sizeWithQuietZone` a side.
    /// - Parameter modulePixels: at least 1; the picture may have 4096 pixels a side at most.
    package func png(modulePixels: Int) throws(QRCodeError) -> [UInt8] {
        guard modulePixels >= 1 else { throw .pictureTooSmall(pixels: 0, minimum: sizeWithQuietZone) }
        let (size, overflow) = modulePixels.multipliedReportingOverflow(by: sizeWithQuietZone)
        guard !overflow, size <= Self.pngSizes.upperBound else {
            throw .pictureTooLarge(pixels: overflow ? .max : size, maximum: Self.pngSizes.upperBound)
        }
        return try draw(size: size, modulePixels: modulePixels)
    }

    private func draw(size: Int, modulePixels: Int) throws(QRCodeError) -> [UInt8] {
        // One byte a pixel, an index into the colour map: 0 light, 1 dark. The file has one bit a pixel,
        // because libpng takes the bit depth from the two entries of the map.
        var pixels = [UInt8](repeating: 0, count: size * size)
        let margin = (size - self.size * modulePixels) / 2
        for y in 0..<self.size {
            let first = (margin + y * modulePixels) * size
            for x in 0..<self.size where isDark(x, y) {
                let start = first + margin + x * modulePixels
                for pixel in start..<start + modulePixels { pixels[pixel] = 1 }
            }
            for row in 1..<max(modulePixels, 1) {
                for pixel in 0..<size { pixels[first + row * size + pixel] = pixels[first + pixel] }
            }
        }
        return try write(pixels, size: size)
    }

    /// The simplified API of libpng: it catches the library's `longjmp` itself, which must never cross a
    /// Swift frame.
    private func write(_ pixels: [UInt8], size: Int) throws(QRCodeError) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(size)
        image.height = png_uint_32(size)
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
        image.colormap_entries = 2
        defer { png_image_free(&image) }
        let colours: [UInt8] = [255, 0]  // white, black

        // A second pass only where the first guess is too small: "If *memory_bytes was changed … the write
        // would have succeeded but for the memory buffer being too small. *memory_bytes contains the required
        // number of bytes" (png.h).
        var file = [UInt8](repeating: 0, count: 16_384)
        for _ in 1...2 {
            var length = png_alloc_size_t(file.count)
            if png_image_write_to_memory(&image, &file, &length, 0, pixels, 0, colours) != 0 {
                return Array(file.prefix(Int(length)))
            }
            guard length > file.count else { break }
            file = [UInt8](repeating: 0, count: Int(length))
        }
        let reason = withUnsafeBytes(of: image.message) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        throw .library(operation: "png_image_write_to_memory", reason: reason)
    }
}
