import Synchronization

/// A flag that tells work on another thread to end early.
final class Interruptible: Sendable {
    private let flag = Atomic(false)
    var goesOn: Bool { !flag.load(ordering: .relaxed) }
    func interrupt() { flag.store(true, ordering: .relaxed) }
}

/// Returns a size such as `12 MB`. The units are powers of ten, as disk manufacturers use them.
func byteText(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "B")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 {
        value /= 1000
        unit = next
    }
    let tenths = Int((value * 10).rounded())
    return unit == "B" || tenths >= 100 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}
