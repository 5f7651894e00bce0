package import Meetings

extension ReadableRows {
    /// Whether an answer that the attendee has given to another set leads to this one: from then on until the
    /// feedback window is over, unless a host has closed it.
    package func isLed(
        _ attendee: AttendeeID, to set: QuestionSet, in session: Session, at now: Instant,
        by patterns: any PatternMatching
    ) throws(JournalError) -> Bool {
        guard set.openByHand == nil, !set.isCheckIn, set.name != QuestionSet.feedback,
            now <= session.feedbackClosesAt
        else { return false }
        for other in try questionSets(of: session.id)
        where other.name != set.name && other.possibleNextSets.contains(set.name) {
            guard try hasAnswered(attendee, set: other.name) else { continue }
            // An anonymous set leads everybody on; of a named one the kept answers say where.
            guard !other.anonymous, let response = try response(of: attendee, set: other.name) else {
                return true
            }
            if other.next(after: response.answers, by: patterns) == set.name { return true }
        }
        return false
    }

    /// What an attendee can answer now, `feedback` first: sets that are open, and those that an answer led
    /// to.
    package func setsToAnswer(
        _ attendee: AttendeeID, in session: Session, at now: Instant, by patterns: any PatternMatching
    ) throws(JournalError) -> [QuestionSet] {
        var sets: [QuestionSet] = []
        for set in try questionSets(of: session.id) where !set.asked.isEmpty {
            guard try !hasAnswered(attendee, set: set.name) else { continue }
            if set.isOpen(in: session, at: now) {
                sets.append(set)
            } else if try isLed(attendee, to: set, in: session, at: now, by: patterns) {
                sets.append(set)
            }
        }
        return sets
    }
}
