import CZlib
import Compression
import Testing

/// Tests of gzip bodies, which zlib unpacks and checks.
@Suite struct GzipTests {
    private static let texts = ["", "a", "받은 글 ", String(repeating: "<p class=\"note\">", count: 5_000)]

    /// Returns the text of a gzip body; nil if a length, a checksum or the end is wrong.
    private func unpacked(_ body: [UInt8], room: Int) -> [UInt8]? {
        var stream = z_stream()
        // 16: "decode only the gzip format" (zlib.h).
        guard inflateInit2_(&stream, 16 + 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var (body, text) = (body, [UInt8](repeating: 0, count: room + 1))
        let code = body.withUnsafeMutableBufferPointer { source in
            text.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard code == Z_STREAM_END, stream.avail_in == 0 else { return nil }
        return Array(text.prefix(Int(stream.total_out)))
    }

    @Test(arguments: texts)
    func `a compressed text is unpacked to the same text`(text: String) {
        let bytes = Array(text.utf8)
        #expect(unpacked(Gzip.compressed(bytes), room: bytes.count) == bytes)
    }

    @Test(arguments: texts, texts)
    func `a beginning and its rest are one body`(beginning: String, rest: String) {
        let all = Array((beginning + rest).utf8)
        let body = GzipBeginning(Array(beginning.utf8)).followed(by: Array(rest.utf8)[...])
        #expect(unpacked(body, room: all.count) == all)
    }

    @Test(arguments: texts, texts)
    func `a template and the texts in its gaps are one body`(piece: String, text: String) {
        let (piece, text) = (Array(piece.utf8), Array(text.utf8))
        let template = GzipTemplate(GzipBeginning(piece), [piece, text, piece])
        let all = piece + piece + text + text + text + piece
        #expect(unpacked(template.filled(with: [text, text]), room: all.count) == all)
    }

    @Test func `the length of a filled template depends only on the lengths of its texts`() {
        let template = GzipTemplate(GzipBeginning(Array("qrc_".utf8)), [[], Array("qrc_7hd2k4".utf8), []])
        let lengths = ["qrc_7hd2k4", "4_k2dh7crq", "aaaaaaaaaa"].map {
            template.filled(with: [Array($0.utf8), Array("qrc_7hd2k4m9".utf8)]).count
        }
        #expect(Set(lengths).count == 1)
    }

    @Test func `the length does not tell whether a text repeats a part of a secret`() {
        let beginning = GzipBeginning([])
        // Both texts have the same letters, so that Huffman's codes have the same length.
        let lengths = ["qrc_7hd2k4", "4_k2dh7crq"].map { guess in
            beginning.followed(by: Array("receipt=qrc_7hd2k4m9 name=\(guess)".utf8)[...]).count
        }
        #expect(lengths[0] == lengths[1])
    }
}
