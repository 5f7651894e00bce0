/// For how many days the server stores each kind of data. The operator chooses; the defaults follow the
/// purpose of the data.
package struct Retention: Hashable, Sendable {
    /// The device and network of check-ins, after the session's end. Hosts review a session within weeks.
    package var evidenceDays = 30
    /// Sessions with their attendance, answers and journal, after the end. Three years cover a course and
    /// the time in which people object to its records. A meeting is deleted with its last session.
    package var sessionDays = 1095
    /// The action log.
    package var actionDays = 365
    /// Mails that were sent, refused, dropped or have expired, without their content.
    package var mailDays = 7
    /// Rotated files of the log.
    package var logDays = 30

    package init() {}

    package static let rangeOfEvidence = 1...365
    /// The lower bound is above the longest feedback window.
    package static let rangeOfSessions = 60...36_500
    package static let rangeOfActions = 30...3650
    package static let rangeOfMails = 1...365
    package static let rangeOfLogs = 1...3650

    package var evidence: Duration { .hours(24 * evidenceDays) }
    package var sessions: Duration { .hours(24 * sessionDays) }
    package var actions: Duration { .hours(24 * actionDays) }
    package var mails: Duration { .hours(24 * mailDays) }
    package var logs: Duration { .hours(24 * logDays) }
}
