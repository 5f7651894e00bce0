import Meetings
import Testing
import Wire

struct BodyTests {
    private func readsBack<Body: Codable & Equatable>(
        _ body: Body, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try WireJSON.decode(Body.self, from: WireJSON.bytes(body)) == body, sourceLocation: location)
    }

    @Test func `a client reads every response body back as the server wrote it`() throws {
        let (meeting, session) = (Sample.meeting, Sample.session)
        var sessionBody = Sample.sessionBody
        sessionBody.joinCode = "K7QX2M"
        sessionBody.checkInUrl = "HTTPS://X/C/1"
        sessionBody.overlaps = [OverlapBody(Overlap(session, meetingName: "A"))]
        var meetingBody = MeetingBody(meeting, role: .viewer, latest: session)
        try readsBack(meetingBody)
        meetingBody.meetingUrl = "HTTPS://X/M/1"
        meetingBody.latestSession = sessionBody
        try readsBack(meetingBody)
        try readsBack(sessionBody)
        try readsBack(NewMeetingBody(meeting: meetingBody, session: sessionBody))
        try readsBack(OverlapsBody([Overlap(session, meetingName: "A")]))
        try readsBack(AccountBody(Sample.account))
        try readsBack(AvailabilityBody(available: true))
        try readsBack(
            TokenBody(accessToken: "a", expiresAt: Sample.startsAt, refreshToken: "r", verified: false))
        let token = Token(
            hash: [], accountID: Sample.account.id, kind: .access, signIn: ID(high: 1, low: 1),
            createdAt: Sample.startsAt,
            expiresAt: Sample.startsAt,
            client: "cli")
        try readsBack(SignInBody(token, current: true))
        try readsBack(
            PresenterLinkBody(
                id: PresenterLinkID(high: 1, low: 9), url: "u", token: "t", expiresAt: Sample.startsAt))
        try readsBack(Sample.attendeeBody)
        let glimpse = SessionGlimpse(session, of: meeting)
        try readsBack(GrantBody(grant: "g", session: glimpse, expiresAt: Sample.startsAt))
        try readsBack(
            CheckInBody(
                attendee: Sample.attendeeBody, session: sessionBody, receipt: "r", alreadyCheckedIn: false))
        try readsBack(CheckInBody(attendee: nil, session: sessionBody, receipt: nil, alreadyCheckedIn: true))
        try readsBack(
            OwnRecordBody(
                attendee: Sample.attendeeBody, session: sessionBody, responded: ["feedback"], responses: []))
        try readsBack(QuestionSetBody(Sample.set(), open: true, anonymityFixed: true))
        try readsBack(ResponseBody(set: "feedback", promise: .anonymous))
        try readsBack(ResultsBody(Sample.set(), open: true, checkedIn: 7, tallies: Sample.tallies))
        for tally in Sample.tallies { try readsBack(tally) }
        try readsBack(CodeBody(url: "u", joinCode: "K7QX2M", expiresInMs: nil))
        let event = Event(
            sessionID: session.id, sequence: 9, at: Sample.startsAt, kind: .corrected,
            attendeeID: Sample.attendee.id, actor: .server,
            data: EventData(status: .late, before: .present))
        let read = try WireJSON.decode(EventBody.self, from: WireJSON.bytes(EventBody(event)))
        #expect(json(read) == json(EventBody(event)))
        #expect(json(read).contains(#""data":{"status":"late","before":"present"}"#))
    }

    @Test func `a list's last page has null as its next cursor`() throws {
        #expect(json(Page(items: [1, 2], nextCursor: nil)) == #"{"items":[1,2],"nextCursor":null}"#)
        #expect(json(Page(items: [Int](), nextCursor: "c")) == #"{"items":[],"nextCursor":"c"}"#)
        #expect(
            try WireJSON.decode(Page<Int>.self, from: Array(#"{"items":[1],"nextCursor":null}"#.utf8))
                .nextCursor == nil)
    }

    @Test func `no response body of an account contains its password`() {
        #expect(!json(AccountBody(Sample.account)).contains("argon2"))
    }

    @Test func `a session's response body has its windows, and no code unless the server adds one`() {
        let body = Sample.sessionBody
        #expect(body.checkInOpensAt == Sample.startsAt - .minutes(60) && body.checkInClosesAt == body.endsAt)
        #expect(body.feedbackOpensAt == body.startsAt && body.feedbackClosesAt == body.endsAt + .hours(24))
        #expect(body.phase == .running && body.checkInOpen && body.feedbackOpen)
        #expect(!json(body).contains("K7QX2M"))
    }

    @Test func `a set without questions is not open for feedback`() {
        for summary in [FeedbackSummary.none, QuestionSet(openByHand: true).summary] {
            let body = SessionBody(
                Sample.session, of: Sample.meeting, headCount: HeadCount(), feedback: summary,
                at: Sample.startsAt)
            #expect(!body.feedbackOpen)
            #expect(body.feedback.questions == 0 && body.feedback.anonymous == true)
        }
    }

    @Test(arguments: IdentifyBy.allCases)
    func `an attendee's body shows only the field by which the meeting identifies people`(
        kind: IdentifyBy
    ) {
        let body = AttendeeBody(forMembers: Sample.attendee, identifyBy: kind, sessionIsOver: false)
        #expect(body.email == (kind == .email ? "kim@example.org" : nil))
        #expect(body.number == (kind == .number ? "kim@example.org" : nil))
    }

    @Test func `a tally lists its choices by count, and equal counts in the question's order`() {
        let tally = Sample.tallies[0]
        #expect(tally.choices?.map(\.id) == ["b", "a", "c"])
        #expect(tally.choices?.map(\.count) == [2, 1, 1])
        #expect(tally.answers == 3)
    }

    @Test func `an average has two decimals`() {
        #expect(Sample.tallies[1].average == 4.67)
        #expect(Sample.tallies[1].counts == [0, 0, 0, 1, 2])
        #expect(
            TallyBody(Sample.stars, in: Sample.set(), count: TallyCount(for: Sample.stars), latest: [])
                .average == nil)
    }

    @Test(arguments: [
        (0, true, true), (2, true, true), (3, true, false), (0, false, false), (1, false, false),
    ])
    func `results hide a question with fewer than three anonymous answers, even in a large set`(
        answers: Int, anonymous: Bool, isHidden: Bool
    ) {
        let set = Sample.set(published: 9, anonymous: anonymous)
        for question in set.questions {
            let text = [TextAnswerBody(text: "secret", at: Sample.startsAt)]
            let answer: Answer =
                question == Sample.stars ? .rating(3) : question == Sample.text ? .text("x") : .choices(["a"])
            let tally = TallyBody(
                question, in: set, count: Sample.count(question, Array(repeating: answer, count: answers)),
                latest: text)
            #expect((tally.hidden != nil) == isHidden)
            guard isHidden else { continue }
            #expect(
                tally.answers == 0 && tally.choices == nil && tally.counts == nil && tally.average == nil
                    && tally.latest == nil)
            #expect(json(tally).contains(#""hidden":{"reason":"too_few_responses","minimum":3}"#))
        }
    }

    @Test(arguments: [(4, 3, true, 1), (3, 3, true, 0), (2, 0, true, 2), (4, 4, false, 0)])
    func `results give the number of anonymous responses that are held back`(
        responses: Int, published: Int, anonymous: Bool, pending: Int
    ) {
        var set = Sample.set(published: published, anonymous: anonymous)
        set.responses = responses
        #expect(ResultsBody(set, open: true, checkedIn: 9, tallies: []).pending == pending)
        #expect(QuestionSetSummary(set, open: true, anonymityFixed: true).pending == pending)
    }

    @Test func `a set gives the number of its responses from people who have not checked in`() {
        var set = Sample.set(published: 5, anonymous: false)
        set.withoutReceipt = 2
        #expect(QuestionSetSummary(set, open: true, anonymityFixed: true).withoutReceipt == 2)
        #expect(ResultsBody(set, open: true, checkedIn: 6, tallies: []).responseRate == 0.5)
    }

    @Test(arguments: [(0, 0, 0.0), (3, 0, 0), (3, 9, 0.333), (3, 3, 1), (3, 2, 1)])
    func `the response rate is responses per checked-in attendee, and never more than one`(
        responses: Int, checkedIn: Int, rate: Double
    ) {
        #expect(
            ResultsBody(Sample.set(published: responses), open: true, checkedIn: checkedIn, tallies: [])
                .responseRate == rate)
    }
}
