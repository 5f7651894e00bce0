import Foundation
import Journal
import JournalContract
import Meetings
import Phrases
import Rooms
import Secrets
import Seeds
import Synchronization
import Testing
import Wire

@testable import Server

/// The ways in which a test makes the server leak, to prove that the attacks find the leak.
enum Leak: Sendable {
    /// The sets are named.
    case named
    /// The sets hide names.
    case hidden
    /// A view shows each answer at once, without waiting for its group.
    case ungrouped
    /// Views show the moment of each answer.
    case moments
    /// The server writes a backup after each step, and never waits for more answers.
    case everyBackup
    /// Two more tables list the answers, and the people who answered, in the order of their rows.
    case rowOrder
}

/// A session with three question sets and a crowd that joins, answers, leaves and is corrected, while hosts
/// open, close, share and publish sets. The seed decides the steps. An attacker looks at every view after
/// each step. Everything runs on the real storage, database, room and exports.
final class AttackedCrowd {
    private struct Member {
        var id: AttendeeID?
        var isHere = true
        var answered: Set<String> = []
    }

    private let size: Int
    private let leaks: Set<Leak>
    /// The minutes in which the crowd answers.
    private let minutes: Int
    private let database: any AttackedDatabase
    private let storage: Storage
    private let keys: Keys
    private let clock = StepClock()
    private let commits = CommitLog()
    private var random: SeededNumbers
    /// Decides who leaves and returns.
    private var moves: SeededNumbers
    private var host: AccountID
    private var session: SessionID
    private var room: Room
    private var members: [Member] = []
    /// The members who answered each set, in the order of their answers.
    private var order: [String: [Int]] = [:]
    /// The author of each answer, the questions that the author saw, and the moment when it was given.
    private var owners: [String: Int] = [:]
    private var asked: [String: Set<QuestionID>] = [:]
    private var moments: [String: Instant] = [:]
    private var shown: Set<String> = []
    /// The removals and merges that may still be undone, with the people whom they took away.
    private var undoable: [(sequence: Int64, people: [Int])] = []
    /// The number of groups of each set whose place in the files was attacked after a closing by hand.
    private var attackedGroups: [String: Int] = [:]
    private var attacker = Attacker()
    /// What the server remembers of its last backup, and what the attacker reads in it.
    private var lastBackup = LastBackup(server: "attacked")
    private var seenInBackup: [String: BackupSight] = [:]

    private static let sets = [QuestionSet.feedback, "poll-a", "poll-b"]

    /// Creates the session of a crowd of `size` in a new database. All its steps take about `minutes`.
    init(
        of size: Int, in minutes: Int, seed: UInt64, leaks: Set<Leak>, _ database: any AttackedDatabase
    ) async throws {
        (self.size, self.minutes, self.leaks, self.database) = (size, minutes, leaks, database)
        let now = clock.now
        random = SeededNumbers(seed: seed)
        moves = SeededNumbers(seed: ~seed)
        keys = Keys(try #require(ServerSecret(bytes: Array(0..<32))))
        storage = Storage(engine: database.engine) { [clock] in clock.now }
        try storage.open { [commits] batch in commits.add(batch.sessions) }
        host = try await storage.perform(
            CreateAccount(
                email: "host@example.org", name: "Host", passwordHash: "$", profile: .init(), signUp: .open,
                proof: .setUp)
        ).id
        let meeting = Meeting(id: .makeTimeless(), name: "Crowd", createdAt: now)
        let record = try await storage.perform(
            CreateMeeting(
                meeting: meeting,
                session: Session(
                    id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: now,
                    endsAt: now + .hours(24), joinCode: JoinCode.random()),
                sets: Self.sets.map { name in
                    QuestionSet(
                        name: name, questions: Self.questions,
                        openByHand: name == QuestionSet.feedback ? nil : true,
                        promise: leaks.contains(.named)
                            ? .named : leaks.contains(.hidden) ? .hidden : .anonymous)
                }, owner: host, allowOverlap: true))
        session = record.session.id
        _ = try await storage.perform(
            EditSession(id: session, settings: SessionSettings(checkOut: .phones), actor: host))
        _ = try await storage.perform(
            EditAudienceSettings(
                session: session, open: true, promise: leaks.contains(.named) ? .named : .hidden,
                actor: host))
        room = Room(record, newest: [], sets: [], code: nil)
        if leaks.contains(.rowOrder) {
            try await storage.perform(
                OnRows { rows throws(JournalError) in try database.makePlainTables(rows) })
        }
    }

    /// The questions of a set. Everybody answers the first, so that its texts mark the responses.
    private static var questions: [Question] {
        [
            Question(
                id: .makeTimeless(), name: "mark", title: "Mark", required: true,
                kind: .shortAnswer(maxLength: 40)),
            Question(id: .makeTimeless(), title: "Stars", kind: .rating(scale: 5)),
            Question(id: .makeTimeless(), title: "Words", kind: .shortAnswer(maxLength: 40)),
            Question(
                id: .makeTimeless(), title: "Which?",
                kind: .multipleChoice(
                    choices: [.init(id: "a", label: "A"), .init(id: "b", label: "B")], minSelections: 1,
                    maxSelections: 2)),
            Question(id: .makeTimeless(), title: "Many?", kind: .number(min: 0, max: 999, decimals: 0)),
            Question(id: .makeTimeless(), title: "One word?", kind: .wordCloud(most: 2)),
            Question(id: .makeTimeless(), title: "How sure?", kind: .scale(points: 7, labels: [:])),
            Question(id: .makeTimeless(), title: "A break?", kind: .yesNo),
            Question(
                id: .makeTimeless(), title: "What first?",
                kind: .ranking(choices: ["a", "b", "c"].map { .init(id: $0, label: $0) }, most: 3)),
            Question(id: .makeTimeless(), title: "When?", kind: .date(earliest: nil, latest: nil)),
        ]
    }

    private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: The steps

    /// Runs all steps, ends the window, seals all sets, and returns the attacker.
    func attack() async throws -> Attacker {
        let steps = size * 5 + 20
        for _ in 0..<steps {
            clock.pass(.seconds(Int.random(in: 0...(120 * minutes / steps), using: &random)))
            try await step()
            try await backUp()
        }
        for number in members.indices where members[number].isHere {
            for set in Self.sets where chance(80) {
                try await answer(set, by: number)
                try await backUp()
            }
        }
        clock.pass(.hours(48))
        for set in Self.sets where set != QuestionSet.feedback { try await edit(set, open: false) }
        while case let due = try await setsToSeal(), !due.isEmpty {
            for set in due { try await storage.seal(set, of: session) }
        }
        while try await storage.perform(ForgetRemoved()) {}
        try await look(isOver: true)
        try await attackDatabase(of: Self.sets, atEnd: true)
        try await compareSets()
        try await backUp()
        await storage.close()
        return attacker
    }

    /// Tries to add, hide and show questions after each of nine answers. Returns after how many answers the
    /// storage allowed it, and for each group the people, and those whose lines in the files have an answer
    /// to the added question.
    func attackByEditedQuestions() async throws -> (
        allowed: [Int], groups: [(people: Set<Int>, marked: Set<Int>)]
    ) {
        let set = QuestionSet.feedback
        var allowed: [Int] = []
        for number in 0..<9 {
            try await arrive()
            try await answer(set, by: number, percent: 100)
            let isAdded = try await addQuestion(to: set)
            // Hides a question and shows it again.
            let isHidden = try await toggleQuestion(of: set)
            #expect(isHidden == isAdded)
            if isHidden { #expect(try await toggleQuestion(of: set)) }
            // A host cannot get around the refusal by closing the set for the edit.
            try await edit(set, open: false)
            #expect(try await toggleQuestion(of: set) == isHidden)
            if isHidden { #expect(try await toggleQuestion(of: set)) }
            try await edit(set, open: true)
            if isAdded { allowed.append(number + 1) }
        }
        let session = session
        let found = try await storage.read { rows throws(JournalError) in
            try ResultFiles.shown(set, of: session, in: "en", from: rows)
        }
        let (results, responses, _) = try #require(found)
        let (first, added) = (results.set.questions[0].id, results.set.questions[Self.questions.count].id)
        let marked = Set(
            responses.filter { $0.response.answers[added] != nil }.compactMap {
                $0.response.answers[first]?.shownText
            })
        let groups = (attacker.groups[set] ?? []).map { group in
            (
                people: Set(group.compactMap { owners[$0] }),
                marked: Set(group.filter(marked.contains).compactMap { owners[$0] })
            )
        }
        await storage.close()
        return (allowed, groups)
    }

    private func setsToSeal() async throws -> [String] {
        let now = clock.now
        return try await storage.read { rows throws(JournalError) in
            try rows.setsToSeal(at: now, limit: 10).map(\.set)
        }
    }

    private func step() async throws {
        if Int.random(in: 0..<5, using: &moves) == 0 { try await moveSomebody() }
        let die = Int.random(in: 0..<100, using: &random)
        // The steps of a host must move no vote and no question. Otherwise the difference shows whose it is.
        let isHosts = (76..<89).contains(die)
        let before = isHosts ? try await voices() : [:]
        try await step(die)
        if isHosts { attacker.noteMoved(try await voices() != before) }
    }

    private func step(_ die: Int) async throws {
        let here = members.indices.filter { members[$0].isHere && members[$0].id != nil }
        let set = Self.sets[Int.random(in: 0..<Self.sets.count, using: &random)]
        guard let number = here.randomElement(using: &random), let id = members[number].id else {
            return try await arrive()
        }
        switch die {
        case 0..<25: try await arrive()
        case 25..<60:
            // Many people answer every open set at once, so that they have the same order in each.
            for set in chance(60) ? Self.sets : [set] { try await answer(set, by: number) }
        case 60..<72: if chance(40) { try await answerForm() } else { try await speak(id) }
        case 72..<76:
            try await leave([number]) {
                try await self.storage.perform(WithdrawCheckIn(receipt: Receipt(for: id, arrival: .max)))
            }
        case 76..<80:
            let erases = chance(30)
            try await leave([number], undoable: !erases) { [host] in
                try await self.storage.perform(RemoveAttendee(attendee: id, erases: erases, actor: host))
            }
        case 80..<83:
            guard let other = here.randomElement(using: &random), other != number,
                let into = members[other].id
            else { return }
            members[other].answered.formUnion(members[number].answered)
            try await leave([number], undoable: true) { [host] in
                _ = try await self.storage.perform(MergeAttendees(attendee: id, into: into, actor: host))
            }
        case 83..<86: try await undo()
        case 86..<89: try await correct(number, id)
        case 89..<93:
            if set == QuestionSet.feedback, chance(60) { return }
            try await edit(set, open: chance(60))
        case 93..<96: try await edit(set, shared: chance(50))
        case 96..<98: try await edit(QuestionSet.feedback, publishedAs: chance(70) ? "crowd" : "")
        case 98..<99:
            if chance(50) { try await addQuestion(to: set) } else { try await toggleQuestion(of: set) }
        default:
            try await storage.shuffleAfterErasure()
            try await look()
        }
    }

    /// Somebody leaves or returns, by their phone or by the host.
    private func moveSomebody() async throws {
        let ids = members.compactMap { $0.isHere ? $0.id : nil }
        guard let id = ids.randomElement(using: &moves) else { return }
        let move: Move = Bool.random(using: &moves) ? .leave : .enterAgain
        let isByPhone = Bool.random(using: &moves)
        _ = try await allowed { [host] in
            if isByPhone {
                _ = try await self.storage.perform(MoveOneself(Receipt(for: id, arrival: .max), move))
            } else {
                _ = try await self.storage.perform(MoveAttendee(id, move, actor: host))
            }
        }
        try await look()
    }

    private func arrive() async throws {
        guard members.count < size else { return }
        let number = members.count
        guard
            case .checkedIn(let attendee, _, _)? = try await allowed({ [session, clock] in
                try await self.storage.perform(
                    CheckIn(
                        session: session, moment: clock.now, method: .qr, grant: nil,
                        name: "Person \(number) of-crowd", email: "p\(number)@of-crowd.example.org"))
            })
        else { return }
        members.append(Member(id: attendee.id))
        try await look()
    }

    /// Returns a new mark and random answers. Each question but the first is answered in so many percent of
    /// the responses.
    private func given(_ questions: [Question], percent: Int = 45) -> (marker: String, answers: Answers) {
        let marker =
            "answer-"
            + String((0..<10).map { _ in "abcdefghijkmnpqrstuvwxyz".randomElement(using: &random)! })
        var answers: Answers = [questions[0].id: .text(marker)]
        for question in questions.dropFirst() where chance(percent) {
            switch question.kind {
            case .rating: answers[question.id] = .rating(Int.random(in: 1...5, using: &random))
            case .wordCloud: answers[question.id] = .choices([marker, chance(50) ? "tea" : "rain"])
            case .scale: answers[question.id] = .number(Double(Int.random(in: 1...7, using: &random)))
            case .yesNo: answers[question.id] = .text(chance(50) ? "yes" : "no")
            case .date: answers[question.id] = .text("2026-12-0\(Int.random(in: 1...9, using: &random))")
            case .shortAnswer: answers[question.id] = .text("and \(marker)")
            case .multipleChoice: answers[question.id] = .choices(chance(50) ? ["a"] : ["b"])
            case .ranking:
                let order = ["a", "b", "c"].shuffled(using: &random)
                answers[question.id] = .choices(Array(order.prefix(Int.random(in: 1...3, using: &random))))
            case .number: answers[question.id] = .number(Double(Int.random(in: 0...999, using: &random)))
            }
        }
        return (marker, answers)
    }

    private func questionSet(_ set: String) async throws -> QuestionSet {
        let session = session
        return try #require(
            try await storage.read { rows throws(JournalError) in try rows.questionSet(set, of: session) })
    }

    private func answer(_ set: String, by number: Int, percent: Int = 45) async throws {
        guard let id = members[number].id, !members[number].answered.contains(set) else { return }
        let seen = try await questionSet(set).asked
        let (marker, answers) = given(seen, percent: percent)
        let stored = try await allowed { [session] in
            try await self.storage.perform(
                Respond(
                    receipt: Receipt(for: id, arrival: .max), session: session, set: set, answers: answers))
        }
        guard stored != nil else { return }
        members[number].answered.insert(set)
        note(marker, in: set, by: number, asked: seen)
        if leaks.contains(.rowOrder) {
            try await storage.perform(
                OnRows { [database] rows throws(JournalError) in
                    try database.notePlainly(marker, of: id, to: set, rows)
                })
        }
        try await look()
    }

    /// Somebody without a receipt answers the published form. The attacker knows that it was no attendee.
    private func answerForm() async throws {
        let set = try await questionSet(QuestionSet.feedback)
        let (marker, answers) = given(Array(set.questions.prefix(1)))
        let stored = try await allowed {
            try await self.storage.perform(
                RespondToForm(form: "crowd", values: ["mark": .text(answers.values.first?.shownText ?? "")]))
        }
        guard stored != nil else { return }
        members.append(Member(id: nil, isHere: false))
        note(marker, in: set.name, by: members.count - 1, asked: set.asked)
        try await look()
    }

    private func note(_ marker: String, in set: String, by number: Int, asked questions: [Question]) {
        owners[marker] = number
        asked[marker] = Set(questions.map(\.id))
        moments[marker] = now
        order[set, default: []].append(number)
    }

    // MARK: Questions from the audience

    /// Asks the host a question, or votes for one.
    private func speak(_ id: AttendeeID) async throws {
        let receipt = Receipt(for: id, arrival: .max)
        let known = Array(try await voices().keys)
        if chance(40) || known.isEmpty {
            _ = try await allowed { [session] in
                try await self.storage.perform(
                    AskQuestion(
                        session: session, asker: .attendee(receipt), text: "answer-\(known.count), please"))
            }
        } else if let question = known.randomElement(using: &random) {
            let votes = chance(90)
            _ = try await allowed { [session] in
                try await self.storage.perform(
                    VoteForQuestion(session: session, question: question, receipt: receipt, votes: votes))
            }
        }
        try await look()
        try await readVoices()
    }

    /// Returns the text and the votes of each question from the audience.
    private func voices() async throws -> [AudienceQuestionID: String] {
        let session = session
        let found = try await storage.read { rows throws(JournalError) in
            try rows.audienceQuestions(
                of: session, statuses: AudienceQuestion.Status.allCases, after: nil, limit: 500)
        }
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, "\($0.votes) \($0.text)") })
    }

    /// Reads the list of questions as members do, and the events of questions and votes.
    private func readVoices() async throws {
        let session = session
        let (bodies, events) = try await storage.read { rows throws(JournalError) in
            (
                try rows.bodiesForMembers(
                    of: try rows.audienceQuestions(
                        of: session, statuses: AudienceQuestion.Status.allCases, after: nil, limit: 500)),
                try rows.events(of: session, after: 0, limit: 10_000)
            )
        }
        attacker.noteJoined(
            "questions", bodies.count { isJoined(String(decoding: WireJSON.bytes($0), as: UTF8.self)) })
        attacker.noteJoined(
            "journal",
            events.count { [.asked, .voted, .voteRemoved].contains($0.kind) && $0.attendeeID != nil })
        attacker.noteVotes(bodies.reduce(0) { $0 + $1.votes })
    }

    private func leave(
        _ people: [Int], undoable isUndoable: Bool = false, _ body: () async throws -> Void
    ) async throws {
        guard try await allowed(body) != nil else { return }
        for number in people { members[number].isHere = false }
        if isUndoable, let record = commits.all.last?.record { undoable.append((record.sequence, people)) }
        let gone = Set(owners.filter { people.contains($0.value) }.keys)
        try await look(leaving: gone)
    }

    private func undo() async throws {
        guard let last = undoable.popLast() else { return }
        let undone = try await allowed { [session, host] in
            try await self.storage.perform(
                UndoCorrection(session: session, sequence: last.sequence, note: nil, actor: host))
        }
        guard undone != nil else { return }
        for number in last.people { members[number].isHere = true }
        try await look(leaving: Set(owners.filter { last.people.contains($0.value) }.keys))
    }

    /// A host corrects an attendee. Half of those who are set back to awaited check in again.
    private func correct(_ number: Int, _ id: AttendeeID) async throws {
        let status = [AttendanceStatus.late, .excused, .awaited].randomElement(using: &random)
        _ = try await allowed { [host] in
            try await self.storage.perform(CorrectAttendee(attendee: id, status: status, actor: host))
        }
        try await look()
        guard status == .awaited, chance(50) else { return }
        _ = try await allowed { [session, clock] in
            try await self.storage.perform(
                CheckIn(
                    session: session, moment: clock.now, method: .qr, grant: nil,
                    name: "Person \(number) of-crowd", email: "p\(number)@of-crowd.example.org"))
        }
        try await look()
    }

    /// Edits a set, and seals it as the server does if it is closed afterwards.
    private func edit(_ set: String, open: Bool? = nil, shared: Bool? = nil, publishedAs: String? = nil)
        async throws
    {
        let edited = try await allowed { [session, host] in
            try await self.storage.perform(
                EditQuestionSet(
                    session: session, set: set, .init(open: open, shared: shared, publishedAs: publishedAs),
                    actor: host))
        }
        guard let edited else { return }
        let isOver = now > room.session.feedbackClosesAt
        try await look(isOver: isOver)
        guard edited.anonymous, edited.responses > 0, !edited.mayTakeAnswers(in: room.session, at: now) else {
            return
        }
        try await storage.seal(set, of: session)
        try await look(isOver: isOver)
        try await attackDatabase(of: [set])
    }

    @discardableResult
    private func addQuestion(to set: String) async throws -> Bool {
        var questions = try await questionSet(set).questions
        guard questions.count < Self.questions.count + 3 else { return false }
        questions.append(Question(id: .makeTimeless(), title: "More?", kind: .rating(scale: 5)))
        return try await ask(questions, in: set)
    }

    /// Hides the last question of a set, or shows it again.
    @discardableResult
    private func toggleQuestion(of set: String) async throws -> Bool {
        var questions = try await questionSet(set).questions
        questions[questions.count - 1].isHidden.toggle()
        return try await ask(questions, in: set)
    }

    /// Returns false if the storage refuses the questions.
    private func ask(_ questions: [Question], in set: String) async throws -> Bool {
        let edited = try await allowed { [session, host, questions] in
            try await self.storage.perform(
                SetQuestions(session: session, set: set, questions: questions, expected: .any, actor: host))
        }
        try await look()
        return edited != nil
    }

    /// Returns nil if the storage refuses the step.
    private func allowed<Answer>(_ body: () async throws -> Answer) async throws -> Answer? {
        do { return try await body() } catch JournalError.refused { return nil }
    }

    private var now: Instant { clock.now }

    // MARK: The looks

    /// Shows the attacker every view of every set, as it is after the last step.
    private func look(isOver: Bool = false, leaving: Set<String> = []) async throws {
        let (session, now, commits) = (session, now, commits.take())
        let changed = Set(commits.flatMap(\.sets))
        let seen = leaving.isEmpty && !isOver ? Self.sets.filter(changed.contains) : Self.sets
        let found = try await storage.read { [leaks, keys] rows throws(JournalError) -> [Looked] in
            var found: [Looked] = []
            for set in seen {
                guard
                    let (results, responses, _) = try ResultFiles.shown(
                        set, of: session, in: "en", from: rows),
                    let record = try rows.session(session), let first = results.set.questions.first,
                    let page = try Feedback.texts(
                        answering: first.id, from: nil, limit: 500, in: rows, keys)
                else { continue }
                var texts = page.items.compactMap(Sight.Text.init)
                if leaks.contains(.ungrouped) {
                    texts += try rows.unpublishedResponses(of: session, set: set).map {
                        Sight.Text(marker: $0.answers[first.id]?.shownText ?? "", at: $0.at)
                    }
                }
                found.append(Looked(record: record, results: results, responses: responses, page: texts))
            }
            return found
        }
        var sights: [Sight] = []
        for looked in found { sights += sightsOfPages(looked, at: now) }
        for commit in commits {
            _ = room.apply(commit, elapsed: .zero)
            sights += sightsOfRooms(at: now)
            for looked in found where commit.sets.contains(looked.results.set.name) {
                _ = room.apply(looked.results, elapsed: .zero)
            }
            sights += sightsOfRooms(at: now)
        }
        for index in sights.indices where leaks.contains(.moments) {
            sights[index].texts = sights[index].texts.map {
                Sight.Text(marker: $0.marker, at: moments[$0.marker] ?? $0.at)
            }
        }
        for sight in sights { attacker.see(sight, windowIsOver: isOver, leaving: leaving) }
        for looked in found {
            let set = looked.results.set.name
            let new = sights.first { $0.view == "page" && $0.set == set }?.texts.map(\.marker) ?? []
            let group = new.filter { shown.insert($0).inserted }
            guard !group.isEmpty else { continue }
            attacker.noteGroup(group, of: set)
            attacker.noteForms(Set(group.map { asked[$0] }).count)
            for sight in sights where sight.set == set {
                align(sight.texts.map(\.marker), sight.view, in: [group], of: set)
                // Texts of the same moment are in the view's order.
                let byTime = sight.texts.enumerated().sorted {
                    ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
                }
                align(byTime.map(\.element.marker), "\(sight.view) by time", in: [group], of: set)
            }
        }
    }

    /// Writes a backup as the server does if one is due, and compares it with the one before it.
    private func backUp() async throws {
        let (session, isPastWindow) = (session, now > room.session.feedbackClosesAt)
        let (content, seen) = try await storage.read { [database] rows throws(JournalError) in
            var seen: [String: BackupSight] = [:]
            var sets: [AnonymousSetState] = []
            for name in Self.sets {
                guard let set = try rows.questionSet(name, of: session), set.anonymous else { continue }
                seen[name] = try database.backupSight(of: name, in: session, rows)
                guard set.responses > 0 else { continue }
                sets.append(
                    AnonymousSetState(
                        session: session, set: name, responses: set.responses,
                        isOver: isPastWindow && set.openByHand != true))
            }
            return (BackupContent(epoch: "epoch", sets: sets), seen)
        }
        let isAllowed = SuccessiveBackups.areUnlinkable(
            content, after: lastBackup, hasEarlier: lastBackup.epoch != nil)
        attacker.noteBackup(waited: !isAllowed)
        guard isAllowed || leaks.contains(.everyBackup) else { return }
        for (set, sight) in seen.sorted(by: { $0.key < $1.key }) {
            let before = seenInBackup[set] ?? BackupSight()
            let isOver = content.sets.contains { $0.set == set && $0.isOver }
            attacker.compareBackups(of: set, before, sight, isOver: isOver)
        }
        seenInBackup = seen
        lastBackup.note(content)
    }

    private struct Looked: Sendable {
        let record: SessionRecord
        let results: SetResults
        let responses: [ShownResponse]
        let page: [Sight.Text]
    }

    private func sightsOfPages(_ looked: Looked, at now: Instant) -> [Sight] {
        let set = looked.results.set
        let body = looked.results.body(in: looked.record, at: now)
        let count = set.questions.count
        let page = Sight(
            view: "page", set: set.name, answers: [looked.page.count],
            content: ["\(looked.page.map { "\($0.marker) \($0.at)" }.sorted())"], texts: looked.page)
        var csv = Sight(
            view: "csv", set: set.name, answers: Array(repeating: 0, count: count),
            content: Array(repeating: "", count: count))
        var table = ResultsTable(set, of: looked.record.meeting, TableForm(in: .english))
        for response in looked.responses { table.add(response) }
        let lines = String(decoding: table.bytes, as: UTF8.self).split(separator: "\r\n").dropFirst()
        let cells = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).suffix(count) }
        for question in 0..<count {
            let answers = cells.map { String($0[$0.startIndex + question]) }.filter { !$0.isEmpty }
            csv.answers[question] = answers.count
            csv.content[question] = "\(answers.sorted())"
        }
        csv.texts = zip(cells, looked.responses).map {
            Sight.Text(marker: String($0.first ?? ""), at: $1.response.at)
        }
        let file = ResultsFileBody(
            body, set, of: looked.record.session, in: looked.record.meeting, at: now, looked.responses)
        var json = Sight(view: "json", set: set.name, answers: [], content: [])
        for question in set.questions {
            let answers = file.responses.compactMap { $0.answers.answers[question.id.text] }
            json.answers.append(answers.count)
            json.content.append("\(answers.map { "\($0)" }.sorted())")
        }
        json.texts = file.responses.map { row in
            Sight.Text(marker: row.answers.answers[set.questions[0].id.text]?.shownText ?? "", at: row.at)
        }
        attacker.noteJoined("csv", lines.count { isJoined(String($0)) })
        attacker.noteJoined(
            "json", file.responses.count { isJoined(String(decoding: WireJSON.bytes($0), as: UTF8.self)) })
        return [page, csv, json, sight(of: body.tallies, in: "results", set.name)]
    }

    private func sight(of tallies: [TallyBody], in view: String, _ set: String) -> Sight {
        Sight(
            view: view, set: set, answers: tallies.map(\.answers),
            content: tallies.map { String(decoding: WireJSON.bytes($0), as: UTF8.self) },
            texts: (tallies.first?.latest ?? []).compactMap(Sight.Text.init))
    }

    /// Returns the sights of all rooms' frames. Each view of the room keeps the newest tallies that it got.
    private func sightsOfRooms(at now: Instant) -> [Sight] {
        var sights: [Sight] = []
        for publication in room.flush(for: Set(View.allCases), at: now, elapsed: .zero).publications {
            guard let tally = publication.frame.tally else { continue }
            var seen = sight(of: [tally], in: "room \(publication.view)", tally.set)
            seen.question = tally.questionId
            sights.append(seen)
            // The parts of a frame belong together no more than two frames of one flush do.
            var others = publication.frame
            others.tally = nil
            let parts = [WireJSON.bytes(tally), WireJSON.bytes(others)]
            let joined = parts.count { isJoined(String(decoding: $0, as: UTF8.self)) }
            attacker.noteJoined("room \(publication.view)", joined)
        }
        return sights
    }

    /// Whether a record contains an answer and data of a person.
    private func isJoined(_ record: String) -> Bool {
        guard record.contains("answer-") else { return false }
        return record.contains("of-crowd") || record.contains("\"attendeeId\":\"")
    }

    // MARK: The attacks on orders

    private func align(
        _ answers: [String], _ source: String, in groups: [[String]], of set: String,
        with others: [(name: String, people: [Int])] = []
    ) {
        let ids = members.indices.filter { members[$0].id != nil }
        let byID = ids.sorted {
            (members[$0].id?.bytes ?? []).lexicographicallyPrecedes(members[$1].id?.bytes ?? [])
        }
        let people =
            [
                ("order of answers", order[set] ?? []), ("order of arrivals", ids), ("order of ids", byID),
            ] + others.map { ($0.name, $0.people) }
        for group in groups {
            for (name, people) in people {
                attacker.align(answers, source, with: people, name, in: group, owners: owners)
            }
        }
    }

    /// Reads the database as its operator can, after these sets are sealed. Attacks each group once at its
    /// first sealing, and once at the end, so that no guess counts twice.
    private func attackDatabase(of sets: [String], atEnd: Bool = false) async throws {
        let moment = atEnd ? "at the end" : "closed by hand"
        let numbers = Dictionary(
            members.enumerated().compactMap { number, member in member.id.map { ($0, number) } }
        ) { first, _ in first }
        for set in sets {
            let seen = try await sight(of: set)
            var groups = attacker.groups[set] ?? []
            let inLog = Set(seen.logged)
            attacker.noteJoined("log", groups.joined().count(where: inLog.contains))
            attacker.noteJoined("transactions", seen.joined.count)
            attacker.noteHeldBack(seen.heldBack)
            if !atEnd {
                let all = groups.count
                groups.removeFirst(attackedGroups[set, default: 0])
                attackedGroups[set] = all
            }
            let people = seen.people.map { ($0.name, $0.items.compactMap { numbers[$0] }) }
            for source in seen.answers {
                align(source.items, "\(source.name) \(moment)", in: groups, of: set, with: people)
            }
        }
    }

    /// Compares the orders of every two sets, to find two responses of one person.
    private func compareSets() async throws {
        for (index, first) in Self.sets.enumerated() {
            let one = try await sight(of: first)
            for second in Self.sets[(index + 1)...] {
                let other = try await sight(of: second)
                for (list, otherList) in zip(one.answers, other.answers) {
                    for hour in one.hours {
                        for otherHour in other.hours {
                            attacker.intersect(
                                list.items.filter(hour.contains), otherList.items.filter(otherHour.contains),
                                "\(list.name) at the end", owners: owners)
                        }
                    }
                }
            }
        }
    }

    private func sight(of set: String) async throws -> DatabaseSight {
        let ids = members.compactMap(\.id)
        let isPlain = leaks.contains(.rowOrder)
        return try await storage.read { [database, session] rows throws(JournalError) in
            try database.sight(of: set, in: session, attendees: ids, hasPlainTables: isPlain, rows)
        }
    }
}

/// A command that writes with the database connection of the storage.
private struct OnRows: Command {
    let body: @Sendable (any WritableRows) throws(JournalError) -> Void

    init(_ body: @escaping @Sendable (any WritableRows) throws(JournalError) -> Void) { self.body = body }

    func run(in transaction: Transaction) throws(JournalError) { try body(transaction.rows) }
}

/// Stores the commits that the storage announced, until the test takes them.
private final class CommitLog: Sendable {
    private let stored = Mutex<[SessionCommit]>([])

    var all: [SessionCommit] { stored.withLock { $0 } }

    func add(_ commits: [SessionCommit]) { stored.withLock { $0 += commits } }

    func take() -> [SessionCommit] {
        stored.withLock { stored in
            defer { stored = [] }
            return stored
        }
    }
}

/// A clock that only the test moves.
private final class StepClock: Sendable {
    private let moment = Mutex(Instant(milliseconds: 1_795_000_000_000))

    var now: Instant { moment.withLock { $0 } }

    func pass(_ time: Duration) { moment.withLock { $0 = $0 + time } }
}
