internal import CQREncode
internal import Glibc

/// A QR code (ISO/IEC 18004, model 2): a square of dark and light modules, without its quiet zone.
///
/// The drawing functions (`png`, `svg`, `terminalText`) add the quiet zone. All functions only compute, but a
/// PNG image of 4,096 pixels takes tens of milliseconds, so drawing must not run on an event loop.
package struct QRCode: Equatable, Sendable {
    /// The number of modules per side: 21 (version 1) to 177 (version 40) in steps of 4.
    package let size: Int
    package let errorCorrection: ErrorCorrection
    /// The modules row by row, in the format of libqrencode. The lowest bit is set if the module is dark.
    private let modules: [UInt8]

    /// The width of the light border around every drawing in modules, as ISO/IEC 18004 §6.3.8 requires.
    package static let quietZone = 4

    /// The version of the code, 1 to 40. A code has `17 + 4 × version` modules per side.
    package var version: Int { (size - 17) / 4 }

    /// The number of modules per side of a drawing, which consists of the code and its quiet zone.
    package var sizeWithQuietZone: Int { size + 2 * Self.quietZone }

    /// Whether the module in column `x` of row `y` is dark. The module (0, 0) is at the top left. All modules
    /// outside the code are light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard 0..<size ~= x, 0..<size ~= y else { return false }
        return modules[y * size + x] & 1 == 1
    }

    /// The number of UTF-8 in the list of extended channel interpretations (ISO/IEC 18004 §7.4.2). Its
    /// declaration takes 12 bits.
    private static let utf8Designator: UInt32 = 26

    /// Returns the smallest code that contains `text` with this error correction.
    ///
    /// If the text contains only upper-case letters, digits, spaces and `$%*+-./:`, it is encoded in the
    /// alphanumeric mode, with 5.5 bits per character. Any other text is encoded as UTF-8 bytes. If these
    /// bytes are not ASCII, the code declares UTF-8, because readers otherwise guess the encoding and can
    /// read short Latin text as Japanese. A code always has one segment. Several modes in one code would
    /// sometimes save a few modules, but the size would then depend on the positions of the digits, and a
    /// rotating code would change its size on the screen.
    ///
    /// - Throws: `empty`, `tooLong` (the limit with `.medium` is 3,391 alphanumeric characters or 2,331
    ///   bytes, or two bytes less if the text is not ASCII), or `library` if there is not enough memory.
    package static func encode(_ text: String, errorCorrection: ErrorCorrection = .medium) throws(QRCodeError)
        -> QRCode
    {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        let alphanumeric = isAlphanumeric(text)
        let isInternational = bytes.contains { $0 > 127 }
        let limit = errorCorrection.limit(alphanumeric: alphanumeric) - (isInternational ? 2 : 0)
        guard bytes.count <= limit else { throw .tooLong(length: bytes.count, limit: limit) }

        // The version number 0 chooses the smallest version that can contain the data.
        guard let input = QRinput_new2(0, errorCorrection.level) else { throw failed("QRinput_new2") }
        defer { QRinput_free(input) }
        if isInternational {
            guard QRinput_appendECIheader(input, utf8Designator) == 0 else {
                throw failed("QRinput_appendECIheader")
            }
        }
        guard QRinput_append(input, alphanumeric ? QR_MODE_AN : QR_MODE_8, Int32(bytes.count), bytes) == 0
        else {
            throw failed("QRinput_append")
        }
        guard let code = QRcode_encodeInput(input) else { throw failed("QRcode_encodeInput") }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        return QRCode(
            size: size, errorCorrection: errorCorrection,
            modules: Array(UnsafeBufferPointer(start: code.pointee.data, count: size * size)))
    }

    /// Whether `text` contains only the 45 characters of ISO/IEC 18004, table 5.
    static func isAlphanumeric(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: " "), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "*"),
                UInt8(ascii: "+"):
                true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }

    private static func failed(_ operation: String) -> QRCodeError {
        .library(operation: operation, reason: String(cString: strerror(errno)))
    }
}
