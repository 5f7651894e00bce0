import Glibc

@testable import WebSockets

/// The events of a parser, and the breach of the protocol that ended it.
private struct Outcome: Equatable {
    var events: [FrameReader.Event] = []
    var breach: FrameReader.Breach?
    var overhead = 0
}

private let longest = 1024
private let most = 16

/// Parses the input as the frames of a client, complete and in pieces, because a socket cuts them anywhere.
func fuzzFrames(_ bytes: [UInt8]) {
    let whole = outcome(of: bytes, in: max(1, bytes.count))
    for size in [1, 7, Int(bytes.first ?? 0) + 1] {
        must(outcome(of: bytes, in: size) == whole, "the pieces of a frame do not change its meaning")
    }
    if let code = whole.breach?.code {
        must([1002, 1003, 1007, 1008, 1009].contains(code), "a breach has a close code")
    }
    for event in whole.events {
        switch event {
        case .text(let text):
            must(text.count <= longest, "a message has a bound")
            must(String(validating: text, as: UTF8.self) != nil, "a message is UTF-8")
        case .binary: must(false, "binary messages need a permission")
        case .ping(let payload): must(payload.count <= 125, "a control frame has a bound")
        case .close(let code): must(code == 1005 || CloseCode.maySend(code), "a close code may be sent")
        case .pong: break
        }
    }
    must(whole.overhead <= bytes.count, "overhead is a part of the input")
}

private func outcome(of bytes: [UInt8], in size: Int) -> Outcome {
    var reader = FrameReader(longestMessage: longest, mostFragments: most)
    var outcome = Outcome()
    for start in stride(from: 0, to: bytes.count, by: size) {
        bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { piece in
            var rest = piece[...]
            let isBroken = outcome.breach != nil
            do throws(FrameReader.Breach) {
                while let event = try reader.next(in: &rest) { outcome.events.append(event) }
                must(!isBroken, "every byte after a breach is a breach")
            } catch {
                if !isBroken { outcome.breach = error }
            }
        }
    }
    outcome.overhead = reader.takeOverhead()
    return outcome
}
