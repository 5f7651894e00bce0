import HTTPServer
import Meetings
import Secrets

/// What is kept of an answer, in bytes. The first says how to read the rest.
enum KeptContent {
    static let response: UInt8 = 1
    static let checkIn: UInt8 = 2

    /// The whole answer, sealed with the client's own key: it may hold names that are erased meanwhile, and
    /// then nobody can read it but who was told them. Nil for what is no success.
    static func of(_ answer: HTTPResponse, _ key: IdempotencyKey) -> [UInt8]? {
        guard (200..<300).contains(answer.status) else { return nil }
        var bytes = SignedBytes()
        bytes.put(UInt16(answer.status))
        bytes.put(UInt8(clamping: answer.headers.count))
        for (name, value) in answer.headers {
            for text in [name, value] {
                let utf8 = Array(text.utf8)
                bytes.put(UInt16(clamping: utf8.count))
                bytes.put(utf8)
            }
        }
        bytes.put(answer.body)
        return [response] + Sealed.seal(bytes.bytes, with: key.sealingKey)
    }

    /// Nil where the bytes are not what `of` makes with this key.
    static func answer(in content: [UInt8], _ key: IdempotencyKey) -> HTTPResponse? {
        guard content.first == response,
            let bytes = Sealed.open(Array(content.dropFirst()), with: key.sealingKey), bytes.count >= 3
        else {
            return nil
        }
        var reader = SignedReader(bytes)
        var answer = HTTPResponse(status: Int(reader.integer(UInt16.self)))
        for _ in 0..<reader.integer(UInt8.self) {
            let name = String(decoding: reader.take(Int(reader.integer(UInt16.self))), as: UTF8.self)
            let value = String(decoding: reader.take(Int(reader.integer(UInt16.self))), as: UTF8.self)
            answer.headers.append((name, value))
        }
        answer.body = Array(reader.rest)
        return answer
    }
}
