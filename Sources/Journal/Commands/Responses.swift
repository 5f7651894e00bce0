package import Meetings

/// Stores one attendee's answers to one set. An attendee has one response to a set. If the set is
/// changeable, new answers replace the earlier ones while the set is open.
/// - Throws: `receiptNotValid` if the receipt has ended or belongs to another session;
///   `alreadyResponded` if the attendee has answered the set and cannot change the answers; `noQuestions` if
///   the set asks nothing; `feedbackNotOpen` or `feedbackClosed` if the set takes no answers now;
///   `anonymityChanged` if the attendee saw another promise; `invalid`, with an error for each rejected
///   answer;
///   `limitReached` if the set has as many responses as it can hold, or if the attendee has changed the
///   answers `Responses.mostChanges` times.
package struct Respond: Command {
    package let receipt: Receipt
    package let session: SessionID
    package let set: String
    package let answers: Answers
    /// The promise that the form showed to the attendee.
    package let shown: ShownPromise
    package let unusable: UnusableAnswers
    /// The cached verdicts from `Storage.judged`; nil to call the pattern engine.
    package let patterns: (any PatternMatching)?

    package init(
        receipt: Receipt, session: SessionID, set: String, answers: Answers,
        unusable: UnusableAnswers = .none, shown: ShownPromise = .unknown,
        patterns: (any PatternMatching)? = nil
    ) {
        self.receipt = receipt
        self.session = session
        self.set = set
        self.answers = answers
        self.shown = shown
        self.unusable = unusable
        self.patterns = patterns
    }

    /// The set after the response, and what follows it.
    package struct Outcome: Sendable {
        package let set: QuestionSet
        package let record: SessionRecord
        /// The name of the set to which the answers lead; nil if they lead to none.
        package let next: String?
        /// The rule by which the form is not meant for this attendee; nil if no such rule applies. If there
        /// is such a rule, the command has stored and counted nothing.
        package let ending: Rule?
        /// Whether the attendee had answered the set before, so that these answers replace the earlier ones.
        package let replaced: Bool
    }

    /// Returns false for an anonymous set, because a key that is stored beside an anonymous response would
    /// connect the response to its sender. A retry is refused as `alreadyResponded`.
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool {
        try transaction.questionSet(set, of: session)?.anonymous == false
    }

    package var responds: Bool { true }

    package func lookAhead(in transaction: Transaction) throws(JournalError) {
        _ = try transaction.session(session)
        // It looks up no attendee or mark ahead: the INSERT of the first response's mark discards all
        // results that are still unused.
        _ = try transaction.rows.questionSet(set, of: session)
        _ = try transaction.rows.tallies(of: session, set: set)
    }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let person = try transaction.rows.attendee(holding: receipt), person.sessionID == session else {
            throw .refused(.receiptNotValid)
        }
        let attendee = person.id
        guard var set = try transaction.questionSet(set, of: session) else {
            throw .refused(.notFound(.questionSet))
        }
        let earlier = try earlierResponse(of: person, to: set, in: transaction)
        guard !set.asked.isEmpty else { throw .refused(.noQuestions) }
        let record = try transaction.session(session)
        if let refusal = set.refusal(in: record.session, at: transaction.now),
            try !transaction.rows.isLed(
                attendee, to: set, in: record.session, at: transaction.now, by: transaction.patterns)
        {
            throw .refused(refusal)
        }
        guard shown.agrees(with: set.promise) else { throw .refused(.anonymityChanged(set.promise)) }
        let patterns = patterns ?? transaction.patterns
        let checked = try transaction.responses.checked(answers, besides: unusable, to: set, by: patterns)
        if let ending = set.ending(for: checked, by: patterns) {
            return Outcome(
                set: set, record: record, next: nil, ending: ending, replaced: earlier != nil)
        }
        if let earlier {
            try transaction.responses.replace(earlier, with: checked, in: set)
        } else {
            // The holder of a merged record must not see the hidden answers of the other record's holder.
            let isLinked = set.promise.showsNames || receipt.attendeeID == attendee
            try transaction.responses.store(
                checked, of: attendee, isLinked: isLinked, to: &set, in: session)
        }
        return Outcome(
            set: set, record: try transaction.session(session), next: set.next(after: checked, by: patterns),
            ending: nil, replaced: earlier != nil)
    }

    /// Returns the attendee's response, if these answers replace it; nil if the attendee has not answered.
    /// - Throws: `alreadyResponded` if the answers cannot change. This is also the case if the response has
    ///   lost its link, or if a former holder of the record gave it.
    private func earlierResponse(
        of attendee: Attendee, to set: QuestionSet, in transaction: Transaction
    ) throws(JournalError) -> Response? {
        guard try transaction.rows.hasAnswered(attendee.id, set: set.name) else { return nil }
        guard set.isChangeable,
            let response = try transaction.rows.ownResponse(of: attendee, holding: receipt, to: set)
        else { throw .refused(.alreadyResponded) }
        return response
    }
}

/// Stores answers to a published form, from anybody. The server does not know the sender, so the command
/// stores no attendee. The response has only the hour of its arrival, even in a named set. If the host
/// requires one response from each device, the command stores the mark of the device, without a link to the
/// response.
/// - Throws: `notFound` if no form has this name; `noQuestions` if the set asks nothing; `feedbackNotOpen`
///   or `feedbackClosed` if the set takes no answers now; `invalid`, with an error for each rejected value,
///   by its field name; `limitReached` if the form has `PublishedForm.mostResponses`, or the set as many
///   responses as it can hold; `alreadyResponded` or `deviceNotRecognized` if the form takes one response
///   from each device.
package struct RespondToForm: Command {
    package let form: String
    /// The answers by the questions' ids; nil if `values` has them.
    private let answers: Answers?
    package let values: [String: PublishedForm.Value]
    /// The errors of values that the server could not read, by field name.
    package let unread: [String: FieldReason]
    /// Whether the request had the values without an object `answers` around them.
    private let isFlat: Bool
    /// The mark of the sender's device in this set; nil if the device is unknown. Marks of two sets cannot be
    /// compared.
    package let device: [UInt8]?
    /// The cached verdicts from `Storage.judged`; nil to call the pattern engine.
    package let patterns: (any PatternMatching)?

    package init(
        form: String, values: [String: PublishedForm.Value], unread: [String: FieldReason] = [:],
        isFlat: Bool = false, device: [UInt8]? = nil, patterns: (any PatternMatching)? = nil
    ) {
        self.form = form
        self.isFlat = isFlat
        self.device = device
        answers = nil
        self.values = values
        self.unread = unread
        self.patterns = patterns
    }

    /// Creates the command for answers by the questions' ids. The errors name the ids, too.
    package init(
        form: String, answers: Answers, device: [UInt8]? = nil,
        patterns: (any PatternMatching)? = nil
    ) {
        self.form = form
        isFlat = false
        self.device = device
        self.answers = answers
        values = [:]
        unread = [:]
        self.patterns = patterns
    }

    /// The set after the response, and what follows it.
    package struct Outcome: Sendable {
        package let set: QuestionSet
        /// The form name of the set that follows; nil if the form ends, or if the following set is not
        /// published.
        package let next: String?
        /// The rule by which the form is not meant for this person; nil if no such rule applies. If there is
        /// such a rule, the command has stored nothing.
        package let ending: Rule?
    }

    /// Returns false, because a key that is stored beside a response would connect the response to its
    /// sender.
    package func takesKey(in transaction: Transaction) throws(JournalError) -> Bool { false }

    package var responds: Bool { true }

    package func run(in transaction: Transaction) throws(JournalError) -> Outcome {
        guard let found = try transaction.rows.publishedForm(form),
            var set = try transaction.questionSet(found.set, of: found.session)
        else { throw .refused(.notFound(.form)) }
        guard !set.asked.isEmpty else { throw .refused(.noQuestions) }
        let session = try transaction.session(found.session).session
        // A published form is open during the feedback window, or if a host has opened it by hand.
        guard set.mayTakeAnswers(in: session, at: transaction.now) else {
            let isEarly = set.openByHand == nil && transaction.now < session.feedbackOpensAt
            throw .refused(isEarly ? .feedbackNotOpen(opensAt: session.feedbackOpensAt) : .feedbackClosed)
        }
        guard set.withoutReceipt < PublishedForm.mostResponses else {
            throw .refused(.limitReached(.response, limit: PublishedForm.mostResponses))
        }
        if set.oncePerDevice {
            guard let device else { throw .refused(.deviceNotRecognized) }
            guard try !transaction.rows.hasAnswered(device: device, set: set.name, of: found.session) else {
                throw .refused(.alreadyResponded)
            }
        }
        let wrapper = PublishedForm.wrapper
        // `{"answers": []}` is no object of answers, unless the form asks a question with this name.
        if isFlat, values[wrapper] != nil || unread[wrapper] != nil,
            !set.asked.contains(where: { $0.formName == wrapper })
        {
            throw .refused(.invalid([FieldError("/\(wrapper)", .wrongType(expected: "object"))]))
        }
        let patterns = patterns ?? transaction.patterns
        let given = answers.map { ($0, UnusableAnswers()) } ?? set.answers(byName: values, unread: unread)
        let checked: Answers
        do throws(Refusal) {
            checked = try set.checked(given.0, besides: given.1, by: patterns)
        } catch { throw .refused(answers == nil ? set.byName(error) : error) }
        if let ending = set.ending(for: checked, by: patterns) {
            return Outcome(set: set, next: nil, ending: ending)
        }
        try transaction.responses.store(checked, of: nil, to: &set, in: found.session)
        if set.oncePerDevice, let device {
            _ = try transaction.rows.markAnswered(device: device, set: set.name, of: found.session)
        }
        let next = try set.next(after: checked, by: patterns).flatMap { name throws(JournalError) in
            try transaction.questionSet(name, of: found.session)?.publishedAs
        }
        return Outcome(set: set, next: next, ending: nil)
    }
}

/// Stores, restores, removes and publishes responses, with their marks, tallies and counts.
package struct Responses {
    /// The most times that an attendee can change the answers of a response. Each change adds an event that
    /// is never deleted.
    package static let mostChanges = 100

    let transaction: Transaction
    private var rows: any WritableRows { transaction.rows }

    /// Returns the answers that the set's rules accept.
    /// - Throws: `invalid`, with an error for each rejected question.
    func checked(
        _ answers: Answers, besides unusable: UnusableAnswers, to set: QuestionSet,
        by patterns: any PatternMatching, mayBeEmpty: Bool = false
    ) throws(JournalError) -> Answers {
        do throws(Refusal) {
            return try set.checked(answers, besides: unusable, by: patterns, mayBeEmpty: mayBeEmpty)
        } catch {
            throw .refused(error)
        }
    }

    /// Stores checked answers once: the response, the attendee's mark, the tallies and the event. If
    /// `attendee` is nil, stores no mark and no name.
    /// - Parameter isLinked: whether the response is linked to the attendee, if the set's promise allows it.
    /// - Throws: `limitReached` if the set already has as many responses as its sums can hold;
    ///   `alreadyResponded` if the attendee has answered the set.
    func store(
        _ answers: Answers, of attendee: AttendeeID?, isLinked: Bool = true, to set: inout QuestionSet,
        in session: SessionID
    ) throws(JournalError) {
        guard set.responses < QuestionSet.mostResponses else {
            throw .refused(.limitReached(.response, limit: QuestionSet.mostResponses))
        }
        if let attendee {
            guard try rows.markAnswered(attendee, set: set.name) else { throw .refused(.alreadyResponded) }
        } else {
            set.withoutReceipt += 1
        }
        set.anonymityIsFixed = true
        // An anonymous response has an hour and no person. Other responses have a time and a person, so that
        // the attendee can change or withdraw them.
        let person = set.promise.linksResponses && isLinked ? attendee : nil
        let response = Response(
            id: .makeTimeless(), sessionID: session, set: set.name, attendeeID: person, answers: answers,
            at: person == nil ? transaction.now.startOfHour : transaction.now)
        try rows.insert(response, published: !set.anonymous)
        try transaction.texts.judge(response, in: set)
        try count(answers, in: &set, of: session)
        // Members read the journal, so the event names the attendee only if members may see the name.
        try transaction.record(
            .responded, in: session, attendee: set.promise.showsNames ? person : nil, by: .attendee,
            EventData(set: set.name))
    }

    /// Replaces the answers of a response. The response keeps its row, its time and its part of the counts.
    /// The tallies lose the old answers and get the new ones in the same transaction. Does nothing if the
    /// answers are the same.
    /// - Throws: `limitReached` if the attendee has changed them `mostChanges` times.
    func replace(_ earlier: Response, with answers: Answers, in set: QuestionSet) throws(JournalError) {
        guard answers != earlier.answers else { return }
        guard try rows.changes(of: earlier) < Self.mostChanges else {
            throw .refused(.limitReached(.changedAnswer, limit: Self.mostChanges))
        }
        let session = earlier.sessionID
        let tallies = try transaction.tallies(of: session, set: set.name)
        for question in set.questions where earlier.answers[question.id] != answers[question.id] {
            var tally = tallies[question.id] ?? TallyRecord(for: question, set.promise)
            if let answer = earlier.answers[question.id] { tally.published.remove(answer, from: question) }
            if let answer = answers[question.id] { tally.published.add(answer, to: question) }
            try save(tally, of: question.id, in: set, of: session)
        }
        let changed = earlier.showing(answers)
        try rows.replaceAnswers(of: changed)
        try transaction.texts.judge(changed, in: set)
        try transaction.texts.forgetHeldWords(of: earlier.answers, in: set)
        transaction.publishResults(of: set.name, in: session)
        try transaction.record(
            .responded, in: session, attendee: set.promise.showsNames ? earlier.attendeeID : nil,
            by: .attendee, EventData(set: set.name, fields: ["answers"]))
    }

    /// Stores the answers of a check-in. If a host has set the attendee back to awaited, the attendee may
    /// have answered these questions before. Then the new answers replace the earlier answers to the same
    /// questions, and the earlier answers to other questions stay. So the attendee has one response, and no
    /// text is lost.
    /// - Throws: `limitReached` if the set already has as many responses as its sums can hold.
    func storeAtCheckIn(
        _ answers: Answers, of attendee: AttendeeID, to set: inout QuestionSet, in session: SessionID
    ) throws(JournalError) {
        let earlier = try rows.response(of: attendee, set: set.name)
        if let earlier {
            try uncount(earlier, in: &set)
            try rows.deleteResponse(of: attendee, set: set.name)
        }
        try store(
            (earlier?.answers ?? [:]).merging(answers) { $1 }, of: attendee, to: &set, in: session)
        // Words that the new response still has keep their decisions.
        if let earlier { try transaction.texts.forget([earlier]) }
    }

    /// Counts an inserted response, and publishes the group if this response completes it.
    private func count(_ answers: Answers, in set: inout QuestionSet, of session: SessionID)
        throws(JournalError)
    {
        set.responses += 1
        let isShown = !set.anonymous || set.responses - set.publishedResponses >= QuestionSet.smallestGroup
        let group = isShown && set.anonymous ? try rows.unpublishedResponses(of: session, set: set.name) : []
        let tallies = try transaction.tallies(of: session, set: set.name)
        for question in set.questions {
            let before = tallies[question.id]
            var tally = before ?? TallyRecord(for: question, set.promise)
            if let answer = answers[question.id] { tally.pending.add(answer, to: question) }
            if !set.anonymous {
                tally.publish()
            } else if isShown {
                tally.publish(question, with: group)
            }
            if tally != before { try save(tally, of: question.id, in: set, of: session) }
        }
        if isShown {
            set.publishedResponses = set.responses
            if set.anonymous {
                try rows.publishResponses(of: session, set: set.name, at: transaction.now.startOfHour)
            }
        }
        try saveCounts(of: set, in: session)
    }

    /// Saves a tally. The counts of its published words go to rows of their own, so that a response costs the
    /// same however many words there are. The words of held-back answers, which are few, stay in the tally.
    private func save(
        _ tally: TallyRecord, of question: QuestionID, in set: QuestionSet, of session: SessionID
    ) throws(JournalError) {
        var tally = tally
        let words = tally.published.takeWords()
        if !words.isEmpty { try rows.count(words, of: question) }
        try transaction.save(tally, of: question, in: set.name, of: session)
    }

    /// Saves the set's counts after its tallies, and makes the rooms read the set's results again.
    private func saveCounts(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        try transaction.saveSettings(of: set, in: session)
        transaction.publishResults(of: set.name, in: session)
    }

    /// Restores the response of a removed attendee: inserts a named response again, or links a response
    /// without a name again.
    /// - Throws: `changedSince` if the set no longer accepts these answers.
    func restore(_ response: Response) throws(JournalError) {
        guard var set = try rows.questionSet(response.set, of: response.sessionID), !set.anonymous else {
            throw .refused(.changedSince)
        }
        guard set.promise.showsNames else {
            if let attendee = response.attendeeID { try rows.link(response, to: attendee) }
            return
        }
        guard set.takes(response.answers) else { throw .refused(.changedSince) }
        try rows.insert(response, published: true)
        try count(response.answers, in: &set, of: response.sessionID)
    }

    /// Removes an attendee's named answers from the tallies; the response rows are deleted with the attendee.
    /// Anonymous answers stay, because nobody can tell which of them are the attendee's. If the set hides
    /// names, the response stays without its link: if the counts changed together with the removal, a viewer
    /// of the results would learn this attendee's answers.
    func removeNamed(of attendee: Attendee) throws(JournalError) {
        _ = try unlinkHidden(of: attendee)
        for settings in try rows.questionSetsWithoutQuestions(of: attendee.sessionID)
        where settings.promise.showsNames {
            guard let response = try rows.response(of: attendee.id, set: settings.name) else { continue }
            guard var set = try rows.questionSet(settings.name, of: attendee.sessionID) else { continue }
            try uncount(response, in: &set)
            try saveCounts(of: set, in: attendee.sessionID)
        }
    }

    /// Deletes the links between the attendee and the responses to sets that hide names. Returns these
    /// responses, without their answers.
    func unlinkHidden(of attendee: Attendee) throws(JournalError) -> [Response] {
        var responses: [Response] = []
        for settings in try rows.questionSetsWithoutQuestions(of: attendee.sessionID)
        where settings.promise == .hidden {
            guard let response = try rows.response(of: attendee.id, set: settings.name) else { continue }
            try rows.unlink(response)
            responses.append(response.showing([:]))
        }
        return responses
    }

    /// Writes the responses again that a merge left without a link. PostgreSQL tells an operator that the
    /// same transaction wrote them and the marks of the remaining attendee.
    func separateFromMarks(_ responses: [Response]) throws(JournalError) {
        for response in responses
        where try rows.questionSet(response.set, of: response.sessionID)?.promise == .hidden {
            try rows.unlink(response)
        }
    }

    /// Removes a named response from the tallies and from the set's counts, which the caller saves.
    private func uncount(_ response: Response, in set: inout QuestionSet) throws(JournalError) {
        var tallies = try rows.tallies(of: response.sessionID, set: set.name)
        for question in set.questions {
            guard let answer = response.answers[question.id],
                var tally = tallies.removeValue(forKey: question.id)
            else { continue }
            tally.published.remove(answer, from: question)
            try save(tally, of: question.id, in: set, of: response.sessionID)
        }
        set.responses -= 1
        set.publishedResponses -= 1
    }

    /// Makes the results of a closed anonymous set final when the feedback window of `session` is over.
    /// Publishes all answers, except the answers to a question that has too few.
    ///
    /// This happens once for each set. Otherwise a host could open the set again for one more answer, and
    /// then see that single answer. If the set has too few responses to show a result, nobody has seen a
    /// result yet; then this may still happen later, after the host has opened the set again.
    func publishRest(of set: inout QuestionSet, in session: Session) throws(JournalError) {
        let now = transaction.now
        guard set.anonymous, !set.restIsShown, set.responses >= QuestionSet.smallestGroup,
            now > session.feedbackClosesAt, !set.mayTakeAnswers(in: session, at: now)
        else { return }
        set.restIsShown = true
        let tallies = try rows.tallies(of: session.id, set: set.name)
        guard !set.isAllShown(by: tallies) else {
            return try transaction.saveSettings(of: set, in: session.id)
        }
        let rest = try rows.unpublishedResponses(of: session.id, set: set.name)
        for question in set.questions {
            guard var tally = tallies[question.id] else { continue }
            tally.publishRest(question, with: rest)
            try save(tally, of: question.id, in: set, of: session.id)
        }
        set.publishedResponses = set.responses
        try rows.publishResponses(of: session.id, set: set.name, at: now.startOfHour)
        try saveCounts(of: set, in: session.id)
    }

    /// Empties the tallies of a set without responses. When named answers are removed, their tallies remain
    /// with zero counts, and with the choices that the questions had then.
    func emptyTallies(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        let tallies = try rows.tallies(of: session, set: set.name)
        for question in set.questions where tallies[question.id] != nil {
            try rows.save(TallyRecord(for: question, set.promise), of: question.id)
        }
    }
}

extension Transaction {
    var responses: Responses { Responses(transaction: self) }
}

/// Publishes the held-back answers of a closed anonymous set when the feedback window is over
/// (`Responses.publishRest`). Does nothing if the set is open or named.
package struct PublishClosedSet: Command {
    package let session: SessionID
    package let set: String

    package init(session: SessionID, set: String) {
        self.session = session
        self.set = set
    }

    /// Returns the set's number of responses, for `MarkSealed`; nil if the set is open, named or deleted.
    package func run(in transaction: Transaction) throws(JournalError) -> Int? {
        let record = try transaction.session(session).session
        guard var set = try transaction.rows.questionSet(set, of: session), set.anonymous,
            !set.mayTakeAnswers(in: record, at: transaction.now)
        else {
            return nil
        }
        try transaction.responses.publishRest(of: &set, in: record)
        return set.responses
    }
}

/// Stores that the file has been shuffled since the set's last response. Does nothing if a response arrived
/// meanwhile, even if the set is closed again: the position of its row still reveals the time of its arrival.
package struct MarkSealed: Command {
    package let session: SessionID
    package let set: String
    /// The set's number of responses before the shuffle.
    package let responses: Int

    package init(session: SessionID, set: String, responses: Int) {
        self.session = session
        self.set = set
        self.responses = responses
    }

    /// Returns whether the set is sealed now.
    package func run(in transaction: Transaction) throws(JournalError) -> Bool {
        let record = try transaction.session(session).session
        guard let found = try transaction.rows.questionSet(set, of: session), found.responses == responses,
            !found.mayTakeAnswers(in: record, at: transaction.now)
        else { return false }
        // If some answers are published only after the feedback window, the file must be shuffled again then.
        let isAllShown = found.isAllShown(by: try transaction.rows.tallies(of: session, set: set))
        guard isAllShown || transaction.now > record.feedbackClosesAt else { return false }
        try transaction.rows.markSealed(set, of: session, true)
        return true
    }
}

extension QuestionSet {
    fileprivate func takes(_ answers: Answers) -> Bool {
        do throws(Refusal) { return try checked(answers) == answers } catch { return false }
    }

    fileprivate func isAllShown(by tallies: [QuestionID: TallyRecord]) -> Bool {
        publishedResponses == responses && tallies.values.allSatisfy(\.waiting.isEmpty)
    }
}

extension ReadableRows {
    /// Whether the attendee's answers to another set lead to this set. False after the feedback window is
    /// over, and if a host has opened or closed this set by hand.
    package func isLed(
        _ attendee: AttendeeID, to set: QuestionSet, in session: Session, at now: Instant,
        by patterns: any PatternMatching
    ) throws(JournalError) -> Bool {
        guard set.canBeLedTo(in: session, at: now) else { return false }
        return try setsAfterAnswers(of: attendee, leadingTo: set.name, in: session.id, by: patterns)
            .contains(set.name)
    }

    /// Returns the names of the sets to which the attendee's answers lead.
    /// - Parameter wanted: the name of the only set that matters. Nil means every set.
    private func setsAfterAnswers(
        of attendee: AttendeeID, leadingTo wanted: String? = nil, in session: SessionID,
        by patterns: any PatternMatching
    ) throws(JournalError) -> Set<String> {
        var names: Set<String> = []
        for settings in try questionSetsWithoutQuestions(of: session) where settings.name != wanted {
            guard try hasAnswered(attendee, set: settings.name),
                let other = try questionSet(settings.name, of: session),
                wanted.map(other.possibleNextSets.contains) ?? true
            else { continue }
            // An anonymous set leads every attendee who has answered it to the next set. For a named set, the
            // stored answers decide.
            if !other.anonymous, let response = try response(of: attendee, set: other.name) {
                if let next = other.next(after: response.answers, by: patterns) { names.insert(next) }
            } else {
                names.formUnion(other.possibleNextSets)
            }
        }
        return names
    }

    /// Returns the response that the holder of the receipt may see. Nil if there is none, or if somebody else
    /// may have given it: a former holder of the record, before a host set it back to awaited, or, if the set
    /// hides names, the holder of a record that a host has merged with the receipt's record.
    package func ownResponse(of attendee: Attendee, holding receipt: Receipt, to set: QuestionSet)
        throws(JournalError) -> Response?
    {
        guard let response = try response(of: attendee.id, set: set.name),
            set.promise.showsNames || receipt.attendeeID == attendee.id
        else { return nil }
        guard let ended = attendee.receiptsEndedAt else { return response }
        // The answers of a second check-in contain earlier answers (`Responses.storeAtCheckIn`).
        guard !set.isCheckIn,
            let event = try events(of: attendee.sessionID, after: ended - 1, limit: 1).first
        else { return nil }
        return response.at > event.at ? response : nil
    }

    /// Returns whether the attendee can change the answers of this response now.
    package func canChange(
        _ response: Response, to set: QuestionSet, in session: Session, at now: Instant,
        by patterns: any PatternMatching
    ) throws(JournalError) -> Bool {
        guard set.isChangeable, !set.asked.isEmpty, let attendee = response.attendeeID else { return false }
        if set.isOpen(in: session, at: now) { return true }
        return try isLed(attendee, to: set, in: session, at: now, by: patterns)
    }

    /// Returns the sets that the attendee has answered, and the closed sets whose results are shared; the
    /// newest first. The sets in `except` are left out.
    package func earlierSets(
        of attendee: Attendee, holding receipt: Receipt, in session: Session, except: Set<String> = [],
        at now: Instant, by patterns: any PatternMatching
    ) throws(JournalError) -> [EarlierSet] {
        var found: [EarlierSet] = []
        for settings in try questionSetsWithoutQuestions(of: session.id)
        where !settings.isCheckIn && !except.contains(settings.name) {
            let isAnswered = try hasAnswered(attendee.id, set: settings.name)
            guard isAnswered || settings.shared && !settings.isOpen(in: session, at: now),
                let set = try questionSet(settings.name, of: session.id), !set.asked.isEmpty
            else { continue }
            let response = isAnswered ? try ownResponse(of: attendee, holding: receipt, to: set) : nil
            let canChange =
                try response.map { response throws(JournalError) in
                    try self.canChange(response, to: set, in: session, at: now, by: patterns)
                } ?? false
            found.append(
                EarlierSet(set: set, isAnswered: isAnswered, response: response, canChange: canChange))
        }
        return found.reversed()
    }

    /// Returns the sets that an attendee can answer now, `feedback` first: the open sets, and the sets to
    /// which the attendee's answers lead.
    package func setsToAnswer(
        _ attendee: AttendeeID, in session: Session, at now: Instant, by patterns: any PatternMatching
    ) throws(JournalError) -> [QuestionSet] {
        var sets: [QuestionSet] = []
        // The answered sets are read once, and the questions of other sets only if they are shown.
        let led = try setsAfterAnswers(of: attendee, in: session.id, by: patterns)
        for settings in try questionSetsWithoutQuestions(of: session.id) {
            guard
                settings.isOpen(in: session, at: now)
                    || led.contains(settings.name) && settings.canBeLedTo(in: session, at: now),
                try !hasAnswered(attendee, set: settings.name),
                let set = try questionSet(settings.name, of: session.id), !set.asked.isEmpty
            else { continue }
            sets.append(set)
        }
        return sets
    }
}

/// A set that an attendee has answered, or that has closed with shared results.
package struct EarlierSet: Sendable {
    package let set: QuestionSet
    package let isAnswered: Bool
    /// The attendee's response; nil if there is none, or if the attendee may not see it.
    package let response: Response?
    /// Whether the attendee can change the answers now.
    package let canChange: Bool
}

extension QuestionSet {
    /// Whether answers to another set can lead to this set at `now`.
    fileprivate func canBeLedTo(in session: Session, at now: Instant) -> Bool {
        openByHand == nil && !isCheckIn && name != QuestionSet.feedback && now <= session.feedbackClosesAt
    }
}
