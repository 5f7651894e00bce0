import Glibc

/// What strangers send is read here, one kind of bytes a target. A target traps where a rule of the reader
/// does not hold; whatever else it does not survive is a crash by itself. libFuzzer's own `main` calls these
/// (https://llvm.org/docs/LibFuzzer.html).
private let target: @Sendable ([UInt8]) -> Void = {
    switch getenv("QRING_FUZZ_TARGET").map({ String(cString: $0) }) {
    case "codes": fuzzCodes
    case "json": fuzzJSON
    case "door": fuzzDoor
    case "http": fuzzHTTP
    default: fatalError("QRING_FUZZ_TARGET names one of: codes, json, door, http")
    }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    target(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

/// A rule of a reader, which holds for every input.
func must(_ holds: Bool, _ rule: StaticString) {
    guard !holds else { return }
    fatalError("\(rule)")
}
