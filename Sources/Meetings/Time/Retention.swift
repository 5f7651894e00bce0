/// For how many days the server stores each kind of data. The operator chooses; the defaults follow the
/// purpose of the data.
package struct Retention: Hashable, Sendable {
    /// The device and network of check-ins, after the session's end. Hosts review a session within weeks.
    package var evidenceDays = 30
    /// The names of attendees, after the session's end. By default longer than any session is stored.
    package var nameDays = 36_500
    /// Sessions with their attendance, answers and journal, after the end. Three years cover a course and
    /// the time in which people object to its records. A meeting is deleted with its last session.
    package var sessionDays = 1095
    /// The action log.
    package var actionDays = 365
    /// Mails that were sent, refused, dropped or have expired, without their content.
    package var mailDays = 7
    /// Rotated files of the log.
    package var logDays = 30

    private var basePreset = Preset.threeYears
    /// The preset with which these periods began. Setting it replaces all of them.
    package var preset: Preset {
        get { basePreset }
        set { self = Retention(newValue) }
    }

    package init() {}

    /// Sets of periods that an operator chooses by name. A setting can replace each period.
    package enum Preset: String, CaseIterable, Sendable {
        /// Names go four weeks after the session. Attendance without names stays for a year.
        case strict
        /// Sessions and the action log stay for a school year and the weeks in which marks are disputed.
        case schoolYear = "school-year"
        case threeYears = "three-years"
    }

    package init(_ preset: Preset) {
        basePreset = preset
        switch preset {
        case .strict:
            (nameDays, evidenceDays, sessionDays) = (28, 7, 365)
            (actionDays, mailDays, logDays) = (180, 1, 7)
        case .schoolYear: (sessionDays, actionDays) = (400, 400)
        case .threeYears: break
        }
    }

    package static let rangeOfEvidence = 1...365
    package static let rangeOfNames = 1...36_500
    /// The lower bound is above the longest feedback window.
    package static let rangeOfSessions = 60...36_500
    package static let rangeOfActions = 30...3650
    package static let rangeOfMails = 1...365
    package static let rangeOfLogs = 1...3650

    package var evidence: Duration { .hours(24 * evidenceDays) }
    /// Nil if the names are stored as long as the session.
    package var names: Duration? { nameDays < sessionDays ? .hours(24 * nameDays) : nil }
    package var sessions: Duration { .hours(24 * sessionDays) }
    package var actions: Duration { .hours(24 * actionDays) }
    package var mails: Duration { .hours(24 * mailDays) }
    package var logs: Duration { .hours(24 * logDays) }
}
