import Client
import Meetings
import Phrases
import Terminal
import Wire

@testable import Dashboard

/// The data of a test's dashboard: a study group in Seoul, four minutes after its start, always with the
/// same people.
struct Scene {
    static let startsAt = Instant(seconds: 1_795_255_200)
    static let url = "HTTP://192.168.178.20:8080/C/065RG5V3AF7T6MQ0K4Z2Y8W1XND9BHCE5GJ7P3R0S4"

    var planned = 30
    var head = HeadCount()
    var people: [Attendee] = []
    var questions: [(Question, TallyCount, [String])] = []
    var responses = 9
    var anonymous = true
    var name = "Study group"
    var url: String? = Scene.url
    /// What the audience has asked, and the statuses of the written answers.
    var asked: [AudienceQuestion] = []
    var statuses: [TextStatus] = []
    var now = startsAt + .seconds(252)
    var length = Duration.hours(2)
    var round = 2
    /// The polls, and whether the form for feedback is listed with them.
    var polls: [QuestionSet] = []

    private let session = SessionID(high: 1, low: 2)

    /// Returns a scene with twelve attendees: one is late, and one is a walk-in.
    static func usual(korean: Bool = false) -> Scene {
        var scene = Scene()
        if korean { scene.name = "수요일 독서 모임" }
        let names = CommandPhrases.Sample.people.map { $0.text(in: korean ? .korean : .english) }
        for (index, name) in names.enumerated() {
            scene.arrive(
                name, minute: [-9, -8, -8, -6, -3, -3, -3, -1, 0, 1, 3, 4][index],
                status: index == 10 ? .late : .present)
        }
        scene.head.pending = 13
        scene.head.excused = 1
        scene.ask(korean ? .korean : .english)
        return scene
    }

    mutating func arrive(_ name: String, minute: Int, status: RecordedStatus = .present) {
        let number = people.count
        let person = Attendee(
            id: AttendeeID(high: 3, low: UInt64(number)), sessionID: session, name: name,
            identity: "p\(number)@example.org",
            status: status,
            walkIn: number == 7, checkedInAt: Self.startsAt + .seconds(minute * 60 + 5 + number % 50),
            method: .qr,
            arrivalSequence: Int64(number))
        people.append(person)
        head.add(person)
    }

    mutating func ask(_ language: Language) {
        typealias Sample = CommandPhrases.Sample
        let rating = Question(
            id: QuestionID(high: 2, low: 1), title: LocalizedText(Sample.rating.text(in: language)),
            required: true, kind: .rating(scale: 5)
        )
        let labels = Sample.choices.map { $0.text(in: language) }
        let choice = Question(
            id: QuestionID(high: 2, low: 2), title: LocalizedText(Sample.choice.text(in: language)),
            kind: .multipleChoice(
                choices: zip(["a", "b", "c", "d"], labels).map { .init(id: $0, label: LocalizedText($1)) },
                minSelections: 1,
                maxSelections: 2))
        let text = Question(
            id: QuestionID(high: 2, low: 3), title: LocalizedText(Sample.text.text(in: language)),
            kind: .shortAnswer(maxLength: 500))
        var (stars, choices, texts) = (
            TallyCount(for: rating), TallyCount(for: choice), TallyCount(for: text)
        )
        for star in [5, 4, 5, 3, 4, 5, 2, 5, 4] { stars.add(.rating(star), to: rating) }
        for chosen in [["a"], ["b", "c"], ["a", "c"], ["a"], ["d"], ["c"], ["a", "b"], ["c"], ["a"]] {
            choices.add(.choices(chosen), to: choice)
        }
        let written = Sample.texts.map { $0.text(in: language) }
        for answer in written { texts.add(.text(answer), to: text) }
        questions = [(rating, stars, []), (choice, choices, []), (text, texts, written)]
    }

    /// Adds questions from the audience of every status, and gives the written answers statuses.
    mutating func listen(_ language: Language) {
        let texts =
            language == .korean
            ? ["발표 자료를 나눠 주시나요?", "다음 모임은 언제인가요?", "두 번째 발표의 코드는 어디에 있나요?", "광고입니다"]
            : [
                "Will there be slides?", "When do we meet next, and can we bring friends?",
                "Where is the code of the second talk?", "Buy my book",
            ]
        let statuses: [AudienceQuestion.Status] = [.visible, .pending, .answered, .hidden]
        asked = zip(texts, statuses).enumerated().map { number, entry in
            AudienceQuestion(
                id: AudienceQuestionID(high: 9, low: UInt64(number)), sessionID: session, attendeeID: nil,
                promise: .hidden, askedAt: Self.startsAt + .seconds(number), text: entry.0,
                status: entry.1, votes: [12, 0, 7, 1][number])
        }
        asked[0].pinned = true
        self.statuses = [.visible, .pending, .hidden]
    }

    var board: AudienceQuestionsFrame? {
        guard !asked.isEmpty else { return nil }
        return AudienceQuestionsFrame(
            AudienceSettings(open: true, asked: asked.count, version: 1), shown: 2, pending: 1, hidden: 1,
            complete: true, items: asked.map { AudienceQuestionBody(forMembers: $0, by: nil) })
    }

    var moderated: [ModeratedTextsFrame]? {
        guard let (question, _, texts) = questions.last, !statuses.isEmpty else { return nil }
        let items = texts.enumerated().map { number, text in
            TextAnswerBody(
                text: text, at: Self.startsAt - .seconds(number), id: "text-\(number)",
                status: statuses[number % statuses.count])
        }
        return [
            ModeratedTextsFrame(
                set: QuestionSet.feedback, questionId: question.id, moderation: .after, complete: true,
                items: items, removed: [])
        ]
    }

    /// Adds a poll that is open, one that is closed and shared, and one that is only prepared.
    mutating func poll(_ language: Language) {
        let titles =
            language == .korean
            ? ["오늘 어디에서 오셨나요?", "쉬는 시간을 가질까요?", "다음 주제는 무엇으로 할까요?"]
            : ["Where do you come from?", "Shall we take a break?", "What shall we read next?"]
        polls = titles.enumerated().map { number, title in
            Self.poll(number + 1, title, open: [false, true, nil][number], shared: number == 0)
        }
        (polls[0].responses, polls[1].responses) = (11, 7)
    }

    static func poll(_ number: Int, _ title: String, open: Bool?, shared: Bool = false) -> QuestionSet {
        let question = Question(
            id: QuestionID(high: 2, low: UInt64(20 + number)), title: LocalizedText(title), kind: .yesNo)
        var set = QuestionSet(
            name: QuestionSet.pollName(number), questions: [question], openByHand: open, version: 3)
        set.shared = shared
        set.position = number
        set.anonymityIsFixed = open != nil
        return set
    }

    static func summary(_ set: QuestionSet) -> QuestionSetSummary {
        QuestionSetSummary(set, open: set.openByHand == true, anonymityFixed: set.anonymityIsFixed)
    }

    private var feedback: QuestionSetSummary {
        QuestionSetSummary(
            QuestionSet(questions: questions.map(\.0), anonymous: anonymous, responses: responses),
            open: false,
            anonymityFixed: false)
    }

    private var pollTallies: [TallyBody] {
        polls.map { TallyBody($0.questions[0], in: $0, count: TallyCount(for: $0.questions[0]), latest: []) }
    }

    var body: SessionBody { body(daysBefore: 0) }

    /// Returns the session, or the session of the same meeting some days earlier.
    func body(daysBefore days: Int) -> SessionBody {
        let startsAt = Self.startsAt - .hours(24 * days)
        let meeting = Meeting(
            id: MeetingID(high: 1, low: 1), name: name, timeZone: Zone("Asia/Seoul") ?? .utc,
            createdAt: Self.startsAt - .hours(24))
        let session = Session(
            id: session, meetingID: meeting.id, round: round - days / 7, startsAt: startsAt,
            endsAt: startsAt + length, plannedCount: planned,
            joinCode: "K7QX2M")
        let summary = FeedbackSummary(
            questions: questions.count, responses: responses, promise: anonymous ? .anonymous : .named,
            shared: false,
            openByHand: nil)
        var body = SessionBody(session, of: meeting, headCount: head, feedback: summary, at: now)
        body.joinCode = url == nil ? nil : session.joinCode
        body.checkInUrl = url
        return body
    }

    var tallies: [TallyBody] {
        let set = QuestionSet(
            questions: questions.map(\.0), anonymous: anonymous, responses: responses,
            publishedResponses: responses)
        return questions.map { question, count, texts in
            let count = responses == 0 ? TallyCount(for: question) : count
            return TallyBody(
                question, in: set, count: count,
                latest: texts.map { TextAnswerBody(text: $0, at: Self.startsAt) })
        }
    }

    func attendees() -> [AttendeeBody] {
        people.map { AttendeeBody(forMembers: $0, identifyBy: .email, sessionIsOver: false) }
    }

    /// The check-ins of all attendees, and then a correction with a reason and an edit of the session.
    var events: [EventBody] {
        var bodies = people.enumerated().map { index, person in
            var body = EventBody(
                Event(
                    sessionID: session, sequence: Int64(index + 1), at: person.checkedInAt ?? Self.startsAt,
                    kind: .checkedIn, attendeeID: person.id, actor: .attendee,
                    data: EventData(status: person.status, method: .qr)))
            body.attendeeName = person.name
            return body
        }
        // Answers have no names, and three of them in a row are one row.
        for sequence in 13...15 {
            bodies.append(
                EventBody(
                    Event(
                        sessionID: session, sequence: Int64(sequence), at: Self.startsAt + .seconds(200),
                        kind: .responded, attendeeID: nil, actor: .attendee,
                        data: EventData(set: QuestionSet.feedback))))
        }
        guard people.count > 6 else { return bodies }
        let host = Event.Actor.account(AccountID(high: 7, low: 1))
        var correction = EventBody(
            Event(
                sessionID: session, sequence: 19, at: Self.startsAt + .seconds(230), kind: .corrected,
                attendeeID: people[6].id, actor: host, data: EventData(status: .late, before: .present)))
        correction.attendeeName = people[6].name
        correction.note = "came in through the back"
        var edit = EventBody(
            Event(
                sessionID: session, sequence: 20, at: Self.startsAt + .seconds(245), kind: .edited,
                attendeeID: nil, actor: host,
                data: EventData(
                    changes: [
                        FieldChange(
                            "endsAt", from: (Self.startsAt + .minutes(105)).rfc3339,
                            to: (Self.startsAt + .minutes(120)).rfc3339)
                    ])))
        (correction.actorName, edit.actorName) = ("Dana", "Dana")
        bodies += [correction, edit]
        return bodies
    }

    func joined(recovered: Bool = false) -> RoomUpdate {
        .joined(
            Joined(joined: .session(session), id: 1, epoch: "e", sequence: 20, recovered: recovered, now: now)
        )
    }

    /// Returns a dashboard that watches the session live and has read all attendees.
    func dashboard(
        _ columns: Int, _ rows: Int, asksFirst: Bool = true, commands: LineCommands = .none
    ) -> Dashboard {
        var dashboard = Dashboard(
            size: Size(columns: columns, rows: rows), now: now, asksFirst: asksFirst,
            commands: commands, readEnd: Self.readEnd)
        _ = dashboard.open(body)
        _ = dashboard.take(.room(session, joined()))
        let all = attendees()
        let code = url.map { CodeBody(url: $0, joinCode: "K7QX2M", expiresInMs: nil) }
        let snapshot = RoomFrame.Snapshot(
            session: body, tallies: tallies + pollTallies, arrivals: Array(all.suffix(50)), code: code,
            sets: polls.isEmpty ? nil : [feedback] + polls.map(Self.summary), audienceQuestions: board,
            moderated: moderated)
        _ = dashboard.take(.room(session, .snapshot(snapshot, room: "session:\(session)", sequence: 20)))
        _ = dashboard.take(.people(session, all, isLast: true))
        return dashboard
    }

    /// Reads only `now` and `+15m`.
    private static let readEnd: EndReader = { text, session, now in
        switch text {
        case "now": now
        case "+15m": session.endsAt + .minutes(15)
        default: nil
        }
    }

    func frame(_ sequence: Int64, _ change: (inout RoomFrame) -> Void) -> DashboardEvent {
        var frame = RoomFrame(room: .session(session), sequence: sequence)
        change(&frame)
        return .room(session, .frame(frame))
    }

    func update(_ update: RoomUpdate) -> DashboardEvent { .room(session, update) }
}

extension Dashboard {
    /// Presses a key for each character of `keys`, and returns the resulting actions.
    @discardableResult
    mutating func press(_ keys: String) -> [DashboardAction] {
        keys.flatMap { take(.screen(.key(.character($0)))) }
    }

    @discardableResult
    mutating func press(_ key: Key) -> [DashboardAction] { take(.screen(.key(key))) }

    func text(_ language: Language = .english, utf8: Bool = true, colour: Bool = true) -> String {
        DashboardLayout(self, .inSeoul(language, isUTF8: utf8, isColourful: colour)).grid.text
    }
}

extension Look {
    /// Returns a look for a host in the same zone as the meetings of the tests.
    static func inSeoul(_ language: Language, isUTF8: Bool = true, isColourful: Bool = true) -> Look {
        Look(language, zone: Zone("Asia/Seoul") ?? .utc, isUTF8: isUTF8, isColourful: isColourful)
    }
}
