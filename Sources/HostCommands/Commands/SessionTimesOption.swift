internal import Client
internal import CommandLine
internal import Meetings
internal import RecordText

/// Reads the start and end of a session from `--now`, `--starts`, `--ends` and `--for`.
enum SessionTimesOption {
    static let example = "\"2026-11-21 19:00\", \"tomorrow 7pm\", \"Fri 19:00\", 19:00, +2h"

    static func newTimes(
        _ call: Invocation, in zone: Zone, now: Instant = SystemTime.now
    ) throws(CommandFailure) -> (starts: Instant, ends: Instant) {
        let (arguments, written) = (call.arguments, call.arguments.value("starts"))
        if arguments.has("now"), written != nil { throw .usage(.together("--now", "--starts")) }
        if arguments.value("ends") != nil, arguments.value("for") != nil {
            throw .usage(.together("--ends", "--for"))
        }
        let starts: Instant
        if let written {
            guard let read = WhenText.start(written, now: now, in: zone) else {
                throw .usage(.notReadable("--starts", written, expected: example))
            }
            starts = read
        } else if arguments.has("now") {
            starts = now.wholeSecond
        } else {
            throw .usage(.oneNeeded(["--now", "--starts TIME"]))
        }
        guard let end = arguments.value("ends") else {
            return (starts, starts + (try call.duration("for") ?? .hours(2)))
        }
        guard let ends = WhenText.end(end, startsAt: starts, from: starts, now: now, in: zone) else {
            throw .usage(.notReadable("--ends", end, expected: example))
        }
        return (starts, ends)
    }
}
