/// What a command ends with, as the contract publishes it.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    case failed = 1
    case usage = 2
    /// Not signed in, or not allowed.
    case notAllowed = 4
    case notFound = 5
    case conflict = 6
    case timedOut = 124
    /// By Ctrl-C or a signal.
    case interrupted = 130
}
