import Meetings
import Testing

struct ImageHeaderTests {
    /// An image of one grey pixel.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
            0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0,
        ]
        + [0x3A, 0x7E, 0x9B, 0x55] + [0, 0, 0, 10] + Array("IDAT".utf8)
        + [0x78, 0x9C, 0x63, 0x60, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x48, 0xAF, 0xA4, 0x71]
        + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    private static func jpeg(width: Int, height: Int, marker: UInt8 = 0xC0) -> [UInt8] {
        [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, marker, 0, 11, 8, UInt8(height >> 8),
            UInt8(height & 255), UInt8(width >> 8),
        ]
            + [UInt8(width & 255), 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 0, 0xFF, 0xD9]
    }

    @Test func `the size is read from the header`() {
        #expect(ImageHeader.read(Self.png) == ImageHeader(format: .png, width: 1, height: 1))
        for marker: UInt8 in [0xC0, 0xC1, 0xC2, 0xCF] {
            #expect(
                ImageHeader.read(Self.jpeg(width: 640, height: 480, marker: marker))
                    == ImageHeader(format: .jpeg, width: 640, height: 480))
        }
    }

    @Test func `a file that only begins like an image is refused`() {
        #expect(ImageHeader.read(Self.jpeg(width: 640, height: 480, marker: 0xC4)) == nil)
        for bytes in [Self.png, Self.jpeg(width: 2, height: 2)] {
            for count in 0..<bytes.count {
                #expect(ImageHeader.read(Array(bytes.prefix(count))) == nil, "\(count) bytes")
            }
        }
        // The checksum covers each byte of the header, so each changed byte makes the header invalid.
        for place in 8..<33 {
            var bytes = Self.png
            bytes[place] ^= 1
            #expect(ImageHeader.read(bytes) == nil, "byte \(place)")
        }
        for text in ["", "GIF89a", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "RIFF....WEBP"] {
            #expect(ImageHeader.format(of: Array(text.utf8)) == nil)
        }
    }

    @Test func `the sides and the number of pixels are limited`() {
        for (width, height, isUsable) in [
            (1, 1, true), (10_000, 2_500, true), (10_001, 1, false), (0, 5, false), (5_000, 5_000, true),
            (5_001, 5_000, false),
        ] {
            #expect(
                ImageHeader(format: .png, width: width, height: height).isUsable == isUsable,
                "\(width)×\(height)")
        }
    }
}
