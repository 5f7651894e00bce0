import Glibc

/// The target that the environment variable `QRING_FUZZ_TARGET` names. Each target gives libFuzzer's input
/// to the parsers of one kind of untrusted bytes, and traps if the result breaks a rule of the parser.
/// libFuzzer also reports every other crash. Its own `main` calls `fuzz` below
/// (https://llvm.org/docs/LibFuzzer.html).
private let target: @Sendable ([UInt8]) -> Void = {
    switch getenv("QRING_FUZZ_TARGET").map({ String(cString: $0) }) {
    case "codes": fuzzCodes
    case "json": fuzzJSON
    case "door": fuzzDoor
    case "http": fuzzHTTP
    case "frames": fuzzFrames
    case "packets": fuzzPackets
    case "files": fuzzFiles
    case "counts": fuzzCounts
    default:
        fatalError("QRING_FUZZ_TARGET names one of: codes, json, door, http, frames, packets, files, counts")
    }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// Traps with the message `rule` if the rule does not hold for the input.
func must(_ holds: Bool, _ rule: StaticString) {
    guard !holds else { return }
    fatalError("\(rule)")
}
