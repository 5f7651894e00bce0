import Glibc
import HostCommands
import Phrases
import Synchronization

/// Whether somebody wants work on another thread to end.
final class Interruptible: Sendable {
    private let flag = Atomic(false)
    var goesOn: Bool { !flag.load(ordering: .relaxed) }
    func interrupt() { flag.store(true, ordering: .relaxed) }
}

/// One line on a terminal behind standard error, written over itself; nothing where there is no terminal.
final class CopyProgress: Sendable {
    private let call: Invocation
    private let isShown = isatty(STDERR_FILENO) == 1
    private let percent = Mutex(-1)

    init(_ call: Invocation) { self.call = call }

    func show(_ done: Int, of all: Int) {
        guard isShown, all > 0 else { return }
        let now = done * 100 / all
        let isNew = percent.withLock { percent in
            defer { percent = now }
            return percent != now
        }
        guard isNew else { return }
        let said = done == all ? CommandPhrases.Admin.checking : CommandPhrases.Admin.copying
        call.console.err("\r\u{1B}[K" + call.text(said, ["percent": "\(now)"]))
    }

    func end() {
        if isShown { call.console.err("\r\u{1B}[K") }
    }
}

/// `12 MB`, in powers of ten, as disks are sold.
func byteText(_ bytes: Int) -> String {
    var (value, unit) = (Double(bytes), "B")
    for next in ["kB", "MB", "GB", "TB"] where value >= 1000 {
        value /= 1000
        unit = next
    }
    let tenths = Int((value * 10).rounded())
    return unit == "B" || tenths >= 100 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
}
