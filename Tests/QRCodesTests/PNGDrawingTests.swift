import Testing

@testable import QRCodes

struct PNGDrawingTests {
    @Test(arguments: Sample.texts) func `zbar reads the exact text from the PNG`(text: String) throws {
        let code = try QRCode.encode(text)
        #expect(try Reader.decode(code.png(modulePixels: 4), suffix: "png") == text)
        #expect(try Reader.decode(code.png(size: 640), suffix: "png") == text)
    }

    @Test(arguments: ErrorCorrection.allCases) func `zbar reads a PNG with every level of error correction`(
        correction: ErrorCorrection
    ) throws {
        let code = try QRCode.encode(Sample.checkIn, errorCorrection: correction)
        #expect(try Reader.decode(code.png(size: 512), suffix: "png") == Sample.checkIn)
    }

    @Test(arguments: [64, 65, 71, 256, 333, 1024, 4096]) func `the PNG has exactly the requested size`(
        size: Int
    ) throws {
        let code = try QRCode.encode(Sample.checkIn)
        let header = PNGHeader(try code.png(size: size))
        #expect(header == PNGHeader(width: size, height: size, bitDepth: 1))
    }

    @Test func `zbar reads the smallest and the largest PNG`() throws {
        let code = try QRCode.encode("A")
        #expect(try Reader.decode(code.png(size: 64), suffix: "png") == "A")
        #expect(try Reader.decode(code.png(size: 4096), suffix: "png") == "A")
    }

    @Test func `PNG sizes outside 64 to 4,096 pixels are rejected`() throws {
        let code = try QRCode.encode("A")
        for size in [63, 0, -1, Int.min] {
            #expect(throws: QRCodeError.pictureTooSmall(pixels: size, minimum: 64)) {
                try code.png(size: size)
            }
        }
        for size in [4097, Int.max] {
            #expect(throws: QRCodeError.pictureTooLarge(pixels: size, maximum: 4096)) {
                try code.png(size: size)
            }
        }
    }

    @Test func `a PNG needs at least one pixel for each module`() throws {
        let code = try QRCode.encode(String(repeating: "A", count: 3391))
        #expect(throws: QRCodeError.pictureTooSmall(pixels: 184, minimum: 185)) { try code.png(size: 184) }
        #expect(PNGHeader(try code.png(size: 185)).width == 185)
    }

    @Test func `a module has at least 1 pixel, and the PNG is at most 4,096 pixels wide`() throws {
        let code = try QRCode.encode("A")
        #expect(PNGHeader(try code.png(modulePixels: 1)).width == 29)
        #expect(PNGHeader(try code.png(modulePixels: 141)).width == 4089)
        #expect(throws: QRCodeError.pictureTooLarge(pixels: 4118, maximum: 4096)) {
            try code.png(modulePixels: 142)
        }
        for pixels in [0, -1] { #expect(throws: QRCodeError.self) { try code.png(modulePixels: pixels) } }
        #expect(throws: QRCodeError.pictureTooLarge(pixels: .max, maximum: 4096)) {
            try code.png(modulePixels: .max)
        }
    }

    @Test func `the PNG file is small, even if the first estimate of its size is too low`() throws {
        let large = try QRCode.encode(String(repeating: "Q8", count: 2148), errorCorrection: .low).png(
            size: 4096)
        #expect(large.count > 16_384)
        #expect(PNGHeader(large).width == 4096)
        #expect(try QRCode.encode(Sample.checkIn).png(size: 512).count < 2_000)
    }
}

/// The fields of a PNG's IHDR chunk (PNG, §11.2.2).
private struct PNGHeader: Equatable {
    var width: Int
    var height: Int
    var bitDepth: Int

    init(width: Int, height: Int, bitDepth: Int) {
        self.width = width
        self.height = height
        self.bitDepth = bitDepth
    }

    init(_ png: [UInt8]) {
        func number(_ at: Int) -> Int { png[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(Array(png.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        self.init(width: number(16), height: number(20), bitDepth: Int(png[24]))
    }
}
