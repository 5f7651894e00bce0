import Meetings
import Secrets

/// The join code of a session whose codes rotate: six characters of a MAC, another set every minute. Typing
/// takes longer than scanning, so it is accepted for as long as it is shown, and for the session's accepted
/// seconds after that.
enum RotatingJoinCode {
    static func text(of session: Session, at moment: Instant, keys: Keys) -> String {
        text(
            of: session, counter: CodeSchedule.counter(at: moment, every: CodeSchedule.joinCodePeriod),
            keys: keys)
    }

    /// The age of `typed` since it was first shown; nil where it is none of the session's, or out of time.
    static func age(of typed: String, for session: Session, at moment: Instant, keys: Keys) -> Duration? {
        let accepted = CodeSchedule.joinCodePeriod + .seconds(session.codeAcceptedSeconds)
        let current = CodeSchedule.counter(at: moment, every: CodeSchedule.joinCodePeriod)
        // Shown for a minute and accepted for two more at the most: the last three.
        for counter in (current - 2...current).reversed()
        where text(of: session, counter: counter, keys: keys) == typed {
            return CodeSchedule.age(
                of: counter, at: moment, accepted: accepted, every: CodeSchedule.joinCodePeriod)
        }
        return nil
    }

    private static func text(of session: Session, counter: Int64, keys: Keys) -> String {
        var message = SignedBytes(session.id, codeVersion: session.codeVersion)
        message.put(counter)
        return JoinCode.text(of: keys.joinCode.mac(message.bytes, length: MACKey.length))
    }
}
