internal import CZlib

/// The checksum CRC-32 of gzip, zip and PNG.
package enum Checksum {
    package static func of(_ bytes: [UInt8]) -> UInt32 {
        UInt32(truncatingIfNeeded: crc32(0, bytes, uInt(bytes.count)))
    }
}

/// Compresses texts as gzip (RFC 1952) with zlib.
package enum Gzip {
    /// Returns `bytes` as a gzip body. It is small and takes time: use it for texts that are compressed once.
    package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
        header + Deflater.run(bytes[...], level: 9, strategy: Z_DEFAULT_STRATEGY, flush: Z_FINISH)
            + trailer(crc: crc32(0, bytes, uInt(bytes.count)), count: bytes.count)
    }

    /// No name, no time, an unknown system (RFC 1952 §2.3).
    fileprivate static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    /// The CRC-32 and the length of the text, each with 32 bits, the lowest byte first.
    fileprivate static func trailer(crc: uLong, count: Int) -> [UInt8] {
        [UInt32(truncatingIfNeeded: crc), UInt32(truncatingIfNeeded: count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
}

/// The beginning that many texts have in common. It is compressed once, and each text only adds its rest.
package struct GzipBeginning: Sendable {
    /// The text of the beginning.
    package let plain: [UInt8]
    /// The beginning as a complete part of a deflate stream that ends at a byte (RFC 1951 §3.2.4).
    fileprivate let deflated: [UInt8]
    fileprivate let crc: uLong

    package init(_ plain: [UInt8]) {
        self.plain = plain
        deflated = Deflater.run(plain[...], level: 9, strategy: Z_DEFAULT_STRATEGY, flush: Z_FULL_FLUSH)
        crc = crc32(0, plain, uInt(plain.count))
    }

    /// Returns the gzip body of the beginning and `rest`.
    ///
    /// The rest is only coded by Huffman's method, without a search for repeated strings, which takes longer.
    /// And the length of the body does not tell whether a text of somebody else repeats a part of a
    /// secret in the same page, such as a receipt (the attack BREACH).
    package func followed(by rest: ArraySlice<UInt8>) -> [UInt8] {
        let end = Deflater.run(rest, level: 1, strategy: Z_HUFFMAN_ONLY, flush: Z_FINISH)
        let ownCRC = rest.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
        let whole = crc32_combine(crc, ownCRC, rest.count)
        return Gzip.header + deflated + end + Gzip.trailer(crc: whole, count: plain.count + rest.count)
    }
}

/// A text with gaps. The pieces around the gaps are compressed once; `filled` adds the texts.
package struct GzipTemplate: Sendable {
    private struct Piece {
        let count: Int
        let deflated: [UInt8]
        let crc: uLong
    }

    private let beginning: GzipBeginning
    private let pieces: [Piece]

    /// - Parameter pieces: the pieces of the text after the beginning: before, between and after the gaps.
    ///   They are coded as `GzipBeginning.followed` codes a rest.
    package init(_ beginning: GzipBeginning, _ pieces: [[UInt8]]) {
        self.beginning = beginning
        self.pieces = pieces.enumerated().map { index, piece in
            Piece(
                count: piece.count,
                deflated: Deflater.run(
                    piece[...], level: 1, strategy: Z_HUFFMAN_ONLY,
                    flush: index == pieces.count - 1 ? Z_FINISH : Z_FULL_FLUSH),
                crc: crc32(0, piece, uInt(piece.count)))
        }
    }

    /// Returns the gzip body with these texts in the gaps. The texts are stored as they are, so that the
    /// length of the body tells nothing but their lengths (BREACH).
    package func filled(with texts: [[UInt8]]) -> [UInt8] {
        precondition(texts.count == pieces.count - 1)
        var (body, crc, count) = (Gzip.header + beginning.deflated, beginning.crc, beginning.plain.count)
        for (index, piece) in pieces.enumerated() {
            body += piece.deflated
            crc = crc32_combine(crc, piece.crc, piece.count)
            count += piece.count
            guard index < texts.count else { break }
            Self.append(texts[index], to: &body)
            crc = crc32(crc, texts[index], uInt(texts[index].count))
            count += texts[index].count
        }
        return body + Gzip.trailer(crc: crc, count: count)
    }

    /// Appends the text in stored blocks (RFC 1951 §3.2.4). The piece before it ends at a byte.
    private static func append(_ text: [UInt8], to body: inout [UInt8]) {
        for start in stride(from: 0, to: text.count, by: 0xFFFF) {
            let block = text[start..<min(text.count, start + 0xFFFF)]
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            body += [0, low, high, ~low, ~high]
            body += block
        }
    }
}

private enum Deflater {
    /// A raw deflate stream, because the caller writes the header and the trailer. Its window has 32 KB.
    private static let windowBits: CInt = -15
    private static let memory: CInt = 8

    /// Returns `bytes` as a raw deflate stream, or as a part of one if `flush` is `Z_FULL_FLUSH`.
    static func run(_ bytes: ArraySlice<UInt8>, level: CInt, strategy: CInt, flush: CInt) -> [UInt8] {
        var stream = z_stream()
        // The call fails only if there is no memory, as Swift's own allocations would.
        precondition(czlib_deflate_init(&stream, level, windowBits, memory, strategy) == Z_OK)
        defer { deflateEnd(&stream) }
        // `deflateBound` does not count the marks of a flush: an empty block of five bytes and padding.
        let most = Int(deflateBound(&stream, uLong(bytes.count))) + 16
        return bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: most) { target, count in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(most)
                let code = deflate(&stream, flush)
                precondition(code == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) && stream.avail_in == 0)
                count = most - Int(stream.avail_out)
            }
        }
    }
}
