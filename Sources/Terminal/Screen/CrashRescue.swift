import Glibc

/// In a crash the terminal is given back first: what the runtime then says of it would be lost with the
/// screen, and where it asks whether to go on (Swift's backtraces do) nobody could see it.
struct CrashRescue: ~Copyable {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS]

    /// - Parameter pipe: the guard's, which has nothing left to do then.
    init(restoring settings: termios, with bytes: [UInt8], telling pipe: Int32) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        let before = UnsafeMutablePointer<sigaction>.allocate(capacity: Self.signals.count)
        before.initialize(repeating: sigaction(), count: Self.signals.count)
        let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
        kept.initialize(
            to: Kept(settings: settings, bytes: UnsafeBufferPointer(copy), pipe: pipe, before: before))
        keptForCrashes = kept
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = giveBackAndCrash
        // On the stack that the runtime has set aside, if it has: a crash may well be an overflow.
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        for (index, number) in Self.signals.enumerated() { sigaction(number, &action, before + index) }
    }

    /// Crashes are the runtime's own again. What was kept stays: a handler may be running on another thread.
    consuming func end() {
        guard let kept = keptForCrashes else { return }
        for (index, number) in Self.signals.enumerated() {
            sigaction(number, kept.pointee.before + index, nil)
        }
    }

    fileprivate struct Kept {
        var settings: termios
        let bytes: UnsafeBufferPointer<UInt8>
        let pipe: Int32
        /// A pointer, since a handler must not allocate: the actions that were there, in the order of
        /// `signals`.
        let before: UnsafeMutablePointer<sigaction>
    }

    /// Where a signal stands among those that are caught.
    fileprivate static func place(of number: Int32) -> Int? {
        switch number {
        case SIGSEGV: 0
        case SIGBUS: 1
        case SIGILL: 2
        case SIGTRAP: 3
        case SIGABRT: 4
        case SIGFPE: 5
        case SIGSYS: 6
        default: nil
        }
    }
}

// Unsafe only in name: written before the handlers are installed, and never while they are. Should another
// thread's handler still be at work when a second screen writes it, it reads one of two pointers, a word that
// is written whole, and what either points to is never freed.
nonisolated(unsafe) private var keptForCrashes: UnsafeMutablePointer<CrashRescue.Kept>?

/// Makes only calls that signal-safety(7) allows, and touches only what was allocated before.
private func giveBackAndCrash(
    _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
) {
    guard let kept = keptForCrashes, let place = CrashRescue.place(of: number) else { return }
    _ = write(STDOUT_FILENO, kept.pointee.bytes.baseAddress, kept.pointee.bytes.count)
    tcsetattr(STDIN_FILENO, TCSANOW, &kept.pointee.settings)
    var word: UInt8 = 1
    _ = write(kept.pointee.pipe, &word, 1)
    // 0 is SI_USER: sent by another process. No fault of ours, and none that comes again when this returns:
    // the default ends it.
    let code = info?.pointee.si_code ?? 0
    if code == 0 { signal(number, SIG_DFL) } else { sigaction(number, kept.pointee.before + place, nil) }
    // A fault comes again by itself; abort(3) sends its signal, as others do.
    if code <= 0 { raise(number) }
}
