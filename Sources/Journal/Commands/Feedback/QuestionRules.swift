import Meetings

extension Transaction {
    /// What can be told of a set only when it is written: patterns that the engine takes, and nothing that
    /// would tell of anonymous answers.
    func requireGoodRules(of set: QuestionSet, field: String) throws(JournalError) {
        var errors: [FieldError] = []
        for (index, question) in set.questions.enumerated() {
            let place = "\(field)/\(index)"
            for (list, tests) in [
                ("rules", question.rules.map(\.test)), ("eligibility", question.eligibility.map(\.test)),
                ("branches", question.branches.map(\.test)),
            ] {
                for (number, test) in tests.enumerated() {
                    guard case .pattern(let pattern) = test, let reason = patterns.refusal(of: pattern) else {
                        continue
                    }
                    errors.append(FieldError("\(place)/\(list)/\(number)/target", .badPattern(reason)))
                }
            }
            // Who answered the set that an answer leads to would have told, by that alone, what the answer
            // was.
            if set.anonymous, !question.branches.isEmpty {
                errors.append(FieldError("\(place)/branches", .branchTellsAnswer))
            }
        }
        guard errors.isEmpty else { throw .refused(.invalid(errors)) }
    }
}

extension QuestionSet {
    /// Stores that the clock has opened the set, before an edit could hide it.
    mutating func noteOpening(in session: Session, at now: Instant) {
        if hasFixedAnonymity(in: session, at: now) { anonymityIsFixed = true }
    }

    /// Nil leaves it as it is. Fixed once the set was opened or shown (`noteOpening` comes first). Questions
    /// of the check-in are part of a person's record, and named.
    mutating func take(anonymous wanted: Bool?) throws(JournalError) {
        guard let wanted, wanted != anonymous else { return }
        guard responses == 0 else { throw .refused(.questionsLocked) }
        guard !(wanted && isCheckIn) else {
            throw .refused(.invalid([FieldError("/anonymous", .checkInIsAlwaysNamed)]))
        }
        guard !anonymityIsFixed else { throw .refused(.anonymityFixed) }
        anonymous = wanted
    }
}
