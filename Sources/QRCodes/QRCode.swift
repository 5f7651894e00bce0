internal import CQREncode
internal import Glibc

/// A QR code (ISO/IEC 18004, model 2) as a square of dark and light modules, without its quiet zone.
///
/// Drawings (`png`, `svg`, `terminalText`) add the quiet zone. All of it is pure computation: a PNG of 4096
/// pixels takes tens of milliseconds, so keep drawing off event loops.
package struct QRCode: Equatable, Sendable {
    /// Modules a side: 21 (version 1) to 177 (version 40) in steps of 4.
    package let size: Int
    package let errorCorrection: ErrorCorrection
    /// Row by row; the lowest bit is set where the module is dark, as libqrencode has it.
    private let modules: [UInt8]

    /// Light modules around every drawing: four, as ISO/IEC 18004 §6.3.8 demands.
    package static let quietZone = 4

    /// 1 to 40; a code has `17 + 4 × version` modules a side.
    package var version: Int { (size - 17) / 4 }

    /// Modules a side of a drawing: the code and its quiet zone.
    package var sizeWithQuietZone: Int { size + 2 * Self.quietZone }

    /// Whether the module in column `x` of row `y` is dark, counted from the top left; outside of the code
    /// everything is light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        guard 0..<size ~= x, 0..<size ~= y else { return false }
        return modules[y * size + x] & 1 == 1
    }

    /// The number of UTF-8 among the extended channel interpretations (ISO/IEC 18004 §7.4.2); declaring it
    /// takes 12 bits.
    private static let utf8Designator: UInt32 = 26

    /// The smallest code that holds `text` with this error correction.
    ///
    /// Text of upper case, digits, space and `$%*+-./:` alone is encoded in the alphanumeric mode, 5.5 bits a
    /// character; all other text as its UTF-8 bytes, which are declared as such where they are not ASCII:
    /// readers guess otherwise, and take short Latin text for Japanese. It is always one segment: mixing
    /// modes would save a few modules now and then, but the size would depend on where the digits fall, and a
    /// rotating code would change its size on the screen.
    ///
    /// - Throws: `empty`, `tooLong` (3391 alphanumeric characters or 2331 bytes with `.medium`; two bytes
    ///   less where they are not ASCII), `library` when out of memory.
    package static func encode(_ text: String, errorCorrection: ErrorCorrection = .medium) throws(QRCodeError)
        -> QRCode
    {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .empty }
        let alphanumeric = isAlphanumeric(text)
        let isInternational = bytes.contains { $0 > 127 }
        let limit = errorCorrection.limit(alphanumeric: alphanumeric) - (isInternational ? 2 : 0)
        guard bytes.count <= limit else { throw .tooLong(length: bytes.count, limit: limit) }

        // "version: version number", 0 chooses the smallest that holds the data.
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

    /// Whether all of it is among the 45 characters of ISO/IEC 18004, table 5.
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
