/// When rotating codes change. A code is named by its counter; its join code, which takes longer to type, by
/// a slower one.
package enum CodeSchedule {
    package static let period = Duration.seconds(10)
    package static let joinCodePeriod = Duration.seconds(60)
    /// How long a code may be accepted after it was first shown, in seconds; a session's own choice within
    /// this.
    package static let acceptedSeconds = 20...120

    /// Of the code that is shown at `moment`.
    package static func counter(at moment: Instant, every period: Duration = period) -> Int64 {
        floorDivide(moment.milliseconds, period.wholeMilliseconds)
    }

    package static func shownAt(_ counter: Int64, every period: Duration = period) -> Instant {
        Instant(milliseconds: counter * period.wholeMilliseconds)
    }

    /// How long ago the code was first shown; nil where it is still to come, or has been out for longer than
    /// `accepted`.
    package static func age(
        of counter: Int64, at moment: Instant, accepted: Duration, every period: Duration = period
    ) -> Duration? {
        let age = moment.since(shownAt(counter, every: period))
        return age >= .zero && age <= accepted ? age : nil
    }

    /// Until the next code is shown.
    package static func remaining(at moment: Instant, every period: Duration = period) -> Duration {
        shownAt(counter(at: moment, every: period) + 1, every: period).since(moment)
    }
}
