import Foundation
import Journal
import Meetings

extension MemoryRows {
    func questionSet(_ name: String, of session: SessionID) throws(JournalError) -> QuestionSet? {
        try tables().sets[Tables.SetKey(session: session, set: name)]?.set
    }

    func questionSets(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        let sets = try tables().sets.filter { $0.key.session == session }.map(\.value.set)
        return sets.sorted { left, right in
            if left.name == QuestionSet.feedback { return right.name != QuestionSet.feedback }
            if right.name == QuestionSet.feedback { return false }
            return (left.position, left.name) < (right.position, right.name)
        }
    }

    func questionSetsWithoutQuestions(of session: SessionID) throws(JournalError) -> [QuestionSet] {
        try questionSets(of: session).map {
            var set = $0
            set.questions = []
            return set
        }
    }

    func questionCounts(of session: SessionID) throws(JournalError) -> [String: Int] {
        let sets = try questionSets(of: session).filter { !$0.questions.isEmpty }
        return Dictionary(sets.map { ($0.name, $0.questions.count) }) { $1 }
    }

    func firstQuestion(of set: String, in session: SessionID) throws(JournalError) -> Question? {
        let found = try questionSet(set, of: session)
        return found?.asked.first ?? found?.questions.first
    }

    func questionsSize(of session: SessionID, set: String?) throws(JournalError) -> QuestionsSize {
        var size = QuestionsSize()
        for found in try questionSets(of: session) where set == nil || set == found.name {
            size = size + (try questionsSize(of: found.questions))
            size = size + (try Self.sizeOfJSON(found.title)) + (try Self.sizeOfJSON(found.description))
        }
        if size.bytes > QuestionsSize.most.bytes { size.texts = 0 }
        return size
    }

    func questionsSize(of questions: [Question]) throws(JournalError) -> QuestionsSize {
        var size = QuestionsSize(questions: questions.count)
        for question in questions { size = size + (try Self.sizeOfJSON(question)) }
        return size
    }

    private static func sizeOfJSON(_ value: some Encodable) throws(JournalError) -> QuestionsSize {
        do {
            let json = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
            return QuestionsSize(bytes: json.utf8.count, texts: json.ranges(of: "\":\"").count)
        } catch { throw .failed(StorageFailure(.other, operation: "encode \(type(of: value))")) }
    }

    func location(of question: QuestionID) throws(JournalError) -> (session: SessionID, set: String)? {
        try tables().setKey(of: question).map { (session: $0.session, set: $0.set) }
    }

    func publishedForm(_ name: String) throws(JournalError) -> (session: SessionID, set: String)? {
        try tables().sets.first { $0.value.set.publishedAs == name }.map {
            (session: $0.key.session, set: $0.key.set)
        }
    }

    func tallies(of session: SessionID, set: String) throws(JournalError) -> [QuestionID: TallyRecord] {
        let tables = try tables()
        return tables.tallies.filter {
            tables.setKey(of: $0.key) == Tables.SetKey(session: session, set: set)
        }
    }

    func hasAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try tables().answered.contains(Tables.AnsweredMark(attendee: attendee, set: set))
    }

    func hasAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool {
        try tables().sets[Tables.SetKey(session: session, set: set)]?.devices.contains(device) ?? false
    }

    func responses(
        of session: SessionID, set: String, after cursor: ResponseCursor?, limit: Int
    ) throws(JournalError) -> [Response] {
        let found = try tables().responses.values.filter { $0.published }.map(\.response).filter { response in
            guard response.sessionID == session, response.set == set else { return false }
            guard let cursor else { return true }
            return response.at == cursor.at ? response.id < cursor.id : response.at < cursor.at
        }
        return Array(found.sorted { $0.at == $1.at ? $0.id > $1.id : $0.at > $1.at }.prefix(limit))
    }

    func unpublishedResponses(of session: SessionID, set: String) throws(JournalError) -> [Response] {
        try tables().responses.values.filter {
            !$0.published && $0.response.sessionID == session && $0.response.set == set
        }
        .map(\.response).sorted { $0.id < $1.id }
    }

    func response(of attendee: AttendeeID, set: String) throws(JournalError) -> Response? {
        try tables().responses.values.first { $0.response.attendeeID == attendee && $0.response.set == set }?
            .response
    }

    func setsToSeal(at now: Instant, limit: Int) throws(JournalError) -> [(session: SessionID, set: String)] {
        let tables = try tables()
        let due = tables.sets.filter { key, entry in
            guard entry.set.anonymous, entry.set.responses > 0, !entry.sealed,
                let session = tables.sessions[key.session]
            else {
                return false
            }
            let waits = entry.set.questions.contains { tables.tallies[$0.id]?.waiting.isEmpty == false }
            let isAllShown = entry.set.publishedResponses == entry.set.responses && !waits
            return !entry.set.mayTakeAnswers(in: session.session, at: now)
                && (isAllShown || now > session.session.feedbackClosesAt)
        }
        let keys = due.keys.sorted { $0.session == $1.session ? $0.set < $1.set : $0.session < $1.session }
        return keys.prefix(limit).map { (session: $0.session, set: $0.set) }
    }

    func save(_ set: QuestionSet, of session: SessionID) throws(JournalError) {
        try change("save question set") { tables throws(JournalError) in
            let key = Tables.SetKey(session: session, set: set.name)
            let areFree = set.questions.allSatisfy { question in
                tables.setKey(of: question.id).map { $0 == key } ?? true
            }
            guard tables.sessions[session] != nil, areFree else {
                throw conflict("save question set", "a question of another set")
            }
            for question in tables.sets[key]?.set.questions ?? []
            where !set.questions.contains(where: { $0.id == question.id }) {
                tables.tallies[question.id] = nil
                tables.words[question.id] = nil
                tables.moderatedWords[question.id] = nil
            }
            tables.sets[key, default: Tables.SetEntry(set: set)].set = set
        }
    }

    func saveSettings(of set: QuestionSet, in session: SessionID) throws(JournalError) {
        try change("save question set's settings") { tables in
            let key = Tables.SetKey(session: session, set: set.name)
            guard let questions = tables.sets[key]?.set.questions else { return }
            tables.sets[key]?.set = set
            tables.sets[key]?.set.questions = questions
        }
    }

    func save(_ tally: TallyRecord, of question: QuestionID) throws(JournalError) {
        try change("save tally") { tables throws(JournalError) in
            guard tables.setKey(of: question) != nil else { throw conflict("save tally", "of no question") }
            tables.tallies[question] = tally
        }
    }

    func markAnswered(_ attendee: AttendeeID, set: String) throws(JournalError) -> Bool {
        try change("mark answered") { tables throws(JournalError) in
            guard tables.attendees[attendee] != nil else { throw conflict("mark answered", "of no attendee") }
            return tables.answered.insert(Tables.AnsweredMark(attendee: attendee, set: set)).inserted
        }
    }

    func markAnswered(device: [UInt8], set: String, of session: SessionID) throws(JournalError) -> Bool {
        try change("mark device") { tables throws(JournalError) in
            let key = Tables.SetKey(session: session, set: set)
            guard tables.sets[key] != nil else { throw conflict("mark device", "of no question set") }
            return tables.sets[key]?.devices.insert(device).inserted ?? false
        }
    }

    func insert(_ response: Response, published: Bool) throws(JournalError) {
        try change("insert response") { tables throws(JournalError) in
            let isTaken = tables.responses.values.contains { other in
                response.attendeeID != nil && other.response.attendeeID == response.attendeeID
                    && other.response.set == response.set
            }
            let key = Tables.SetKey(session: response.sessionID, set: response.set)
            guard tables.sets[key] != nil, tables.responses[response.id] == nil, !isTaken,
                response.attendeeID.map({ tables.attendees[$0] != nil }) ?? true
            else { throw conflict("insert response", "not unique, or of no set or attendee") }
            tables.responses[response.id] = Tables.ResponseEntry(response: response, published: published)
            tables.sets[key]?.sealed = false
        }
    }

    func deleteResponse(of attendee: AttendeeID, set: String) throws(JournalError) {
        try change("delete response") { tables in
            tables.responses = tables.responses.filter {
                $0.value.response.attendeeID != attendee || $0.value.response.set != set
            }
            tables.answered.remove(Tables.AnsweredMark(attendee: attendee, set: set))
        }
    }

    func replaceAnswers(of response: Response) throws(JournalError) {
        try change("replace answers") { tables in
            guard let stored = tables.responses[response.id]?.response else { return }
            tables.responses[response.id]?.response = stored.showing(response.answers)
            tables.responses[response.id]?.changes += 1
        }
    }

    func changes(of response: Response) throws(JournalError) -> Int {
        try tables().responses[response.id]?.changes ?? 0
    }

    func unlink(_ response: Response) throws(JournalError) {
        try change("unlink response") { tables in
            guard let stored = tables.responses[response.id]?.response else { return }
            tables.responses[response.id]?.response = stored.linked(to: nil)
        }
    }

    func link(_ response: Response, to attendee: AttendeeID) throws(JournalError) {
        try change("link response") { tables in
            guard let stored = tables.responses[response.id]?.response, stored.attendeeID == nil else {
                return
            }
            tables.responses[response.id]?.response = stored.linked(to: attendee)
        }
    }

    func count(_ words: [String: Int], of question: QuestionID) throws(JournalError) {
        try change("count words") { tables throws(JournalError) in
            guard tables.setKey(of: question) != nil else { throw conflict("count words", "of no question") }
            tables.words[question, default: [:]].merge(words) { $0 + $1 }
            tables.words[question] = tables.words[question]?.filter { $0.value > 0 }
        }
    }

    func deleteAnswers(to set: String, of session: SessionID, limit: Int) throws(JournalError) -> Int {
        try change("delete responses") { tables in
            var words = 0
            for question in tables.sets[Tables.SetKey(session: session, set: set)]?.set.questions ?? [] {
                words += tables.words.removeValue(forKey: question.id)?.count ?? 0
                words += tables.moderatedWords.removeValue(forKey: question.id)?.count ?? 0
            }
            let found = tables.responses.filter {
                $0.value.response.set == set && $0.value.response.sessionID == session
            }.keys.sorted().prefix(limit)
            for id in found { tables.responses[id] = nil }
            let key = Tables.SetKey(session: session, set: set)
            let devices = Array(tables.sets[key]?.devices ?? []).prefix(limit - found.count)
            tables.sets[key]?.devices.subtract(devices)
            return found.count + devices.count + words
        }
    }

    func deleteSet(_ set: String, of session: SessionID) throws(JournalError) {
        try change("delete question set") { tables in
            let key = Tables.SetKey(session: session, set: set)
            let entry = tables.sets.removeValue(forKey: key)
            tables.textModeration[key] = nil
            for question in entry?.set.questions ?? [] {
                tables.tallies[question.id] = nil
                tables.words[question.id] = nil
                tables.moderatedWords[question.id] = nil
                tables.moderatedTexts = tables.moderatedTexts.filter { $0.key.question != question.id }
            }
        }
    }

    func publishResponses(of session: SessionID, set: String, at hour: Instant) throws(JournalError) {
        try change("publish responses") { tables in
            for (id, entry) in tables.responses
            where !entry.published && entry.response.sessionID == session && entry.response.set == set {
                tables.responses[id] = Tables.ResponseEntry(
                    response: entry.response.shown(at: hour), published: true)
            }
        }
    }

    func markSealed(_ set: String, of session: SessionID, _ sealed: Bool) throws(JournalError) {
        try change("mark sealed") { $0.sets[Tables.SetKey(session: session, set: set)]?.sealed = sealed }
    }
}

extension Response {
    fileprivate func linked(to attendee: AttendeeID?) -> Response {
        Response(id: id, sessionID: sessionID, set: set, attendeeID: attendee, answers: answers, at: at)
    }

    fileprivate func shown(at hour: Instant) -> Response {
        Response(id: id, sessionID: sessionID, set: set, attendeeID: attendeeID, answers: answers, at: hour)
    }
}

extension Tables {
    func setKey(of question: QuestionID) -> SetKey? {
        sets.first { $0.value.set.questions.contains { $0.id == question } }?.key
    }
}
