internal import CPNG

extension QRCode {
    /// The allowed widths and heights of PNG images, in pixels.
    package static let pngSizes = 64...4096

    /// Draws a PNG image of exactly `size` × `size` pixels, with two colours and one bit per pixel.
    ///
    /// Every module is a square with the same whole number of pixels, which is as large as possible. The
    /// remaining pixels are added to the quiet zone.
    /// - Parameter size: the width and height in pixels, 64 to 4,096.
    /// - Throws: `pictureTooSmall` if `size` is below 64 or is less than one pixel per module, or
    ///   `pictureTooLarge`.
    package func png(size: Int) throws(QRCodeError) -> [UInt8] {
        let minimum = max(Self.pngSizes.lowerBound, sizeWithQuietZone)
        guard size >= minimum else { throw .pictureTooSmall(pixels: size, minimum: minimum) }
        guard size <= Self.pngSizes.upperBound else {
            throw .pictureTooLarge(pixels: size, maximum: Self.pngSizes.upperBound)
        }
        return try draw(size: size, modulePixels: size / sizeWithQuietZone)
    }

    /// Draws a PNG image whose modules are `modulePixels` pixels wide. The width and the height of the image
    /// with its quiet zone are `modulePixels × sizeWithQuietZone` pixels.
    /// - Parameter modulePixels: at least 1. The image may be at most 4,096 pixels wide.
    package func png(modulePixels: Int) throws(QRCodeError) -> [UInt8] {
        guard modulePixels >= 1 else { throw .pictureTooSmall(pixels: 0, minimum: sizeWithQuietZone) }
        let (size, overflow) = modulePixels.multipliedReportingOverflow(by: sizeWithQuietZone)
        guard !overflow, size <= Self.pngSizes.upperBound else {
            throw .pictureTooLarge(pixels: overflow ? .max : size, maximum: Self.pngSizes.upperBound)
        }
        return try draw(size: size, modulePixels: modulePixels)
    }

    private func draw(size: Int, modulePixels: Int) throws(QRCodeError) -> [UInt8] {
        // Each byte is the index of a pixel's colour in the colour map: 0 is light, 1 is dark. The file has
        // one bit per pixel, because libpng derives the bit depth from the two entries of the colour map.
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

    /// Writes a PNG file with the simplified API of libpng. This API catches the `longjmp` of libpng, which
    /// must never cross a Swift stack frame.
    private func write(_ pixels: [UInt8], size: Int) throws(QRCodeError) -> [UInt8] {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(size)
        image.height = png_uint_32(size)
        image.format = png_uint_32(PNG_FORMAT_FLAG_COLORMAP)
        image.colormap_entries = 2
        defer { png_image_free(&image) }
        let colours: [UInt8] = [255, 0]  // white, black

        // A second pass is needed only if the first buffer is too small: "If *memory_bytes was changed … the
        // write would have succeeded but for the memory buffer being too small. *memory_bytes contains the
        // required number of bytes" (png.h).
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
