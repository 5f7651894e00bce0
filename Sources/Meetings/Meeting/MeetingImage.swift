/// A meeting's image with the same bytes that a host uploaded.
package struct MeetingImage: Hashable, Sendable {
    package let header: ImageHeader
    package let bytes: [UInt8]
    /// The image's entity tag. Images with equal bytes have equal tags.
    package let tag: String

    /// The size of the largest image that a host may upload, in bytes.
    package static let mostBytes = 5 * 1024 * 1024

    package init(header: ImageHeader, bytes: [UInt8], tag: String) {
        self.header = header
        self.bytes = bytes
        self.tag = tag
    }
}

/// The format and size of an image. They are read from the image's bytes; file names and declared media types
/// are ignored.
package struct ImageHeader: Hashable, Sendable {
    /// The image formats that browsers and the server can both read.
    package enum Format: String, Sendable, CaseIterable {
        case jpeg, png

        /// The media type, such as `image/png`.
        package var mediaType: String { "image/\(rawValue)" }
    }

    package let format: Format
    package let width: Int
    package let height: Int

    /// The largest allowed width or height, in pixels.
    package static let longestSide = 10_000
    /// The largest allowed area, in millions of pixels.
    package static let mostMegapixels = 25

    /// Whether the image is small enough for a browser on a phone.
    package var isUsable: Bool {
        (1...Self.longestSide).contains(width) && (1...Self.longestSide).contains(height)
            && width * height <= Self.mostMegapixels * 1_000_000
    }

    package init(format: Format, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// Returns the image format that the file's signature names. Returns nil if the file is neither PNG nor
    /// JPEG.
    package static func format(of bytes: [UInt8]) -> Format? {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? .jpeg : nil
    }

    /// Reads the image's header. Returns nil if the format is unknown, or if the header or the end of the
    /// file is missing or damaged.
    package static func read(_ bytes: [UInt8]) -> ImageHeader? {
        switch format(of: bytes) {
        case nil: nil
        case .png: png(bytes)
        case .jpeg: jpeg(bytes)
        }
    }

    /// Reads a PNG image (third edition, §11.2.1). The first chunk must be IHDR with 13 bytes. The last chunk
    /// must be IEND without data.
    private static func png(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.count >= 8 + 25 + 12, bytes[8..<16].elementsEqual([0, 0, 0, 13] + Array("IHDR".utf8))
        else { return nil }
        let depths: [UInt8: [UInt8]] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[bytes[25]]?.contains(bytes[24]) == true, bytes[26] == 0, bytes[27] == 0, bytes[28] <= 1,
            checksum(bytes[12..<29]) == number(bytes[29..<33]), bytes.suffix(12).elementsEqual(pngEnd)
        else { return nil }
        return ImageHeader(format: .png, width: number(bytes[16..<20]), height: number(bytes[20..<24]))
    }

    private static let pngEnd: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    /// Reads a JPEG image (ITU-T T.81 annex B). The function reads segments up to the frame header
    /// (SOF0–SOF15 without DHT, JPG and DAC), which precedes the first scan.
    private static func jpeg(_ bytes: [UInt8]) -> ImageHeader? {
        guard bytes.suffix(2).elementsEqual([0xFF, 0xD9]) else { return nil }
        var offset = 2
        while offset + 4 <= bytes.count, bytes[offset] == 0xFF {
            let marker = bytes[offset + 1]
            // JPEG allows fill bytes before any marker.
            if marker == 0xFF {
                offset += 1
                continue
            }
            let length = number(bytes[offset + 2..<offset + 4])
            guard marker != 0xD9, marker != 0xDA, length >= 2, offset + 2 + length <= bytes.count else {
                return nil
            }
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                guard length >= 11, length == 8 + 3 * Int(bytes[offset + 9]) else { return nil }
                return ImageHeader(
                    format: .jpeg, width: number(bytes[offset + 7..<offset + 9]),
                    height: number(bytes[offset + 5..<offset + 7]))
            }
            offset += 2 + length
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the CRC-32 of the bytes, as PNG defines it (annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> Int {
        var crc: UInt32 = .max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return Int(~crc)
    }
}
