import Meetings
import Testing
import Wire

struct AccountRequestTests {
    @Test func `a sign-up at its limits is taken`() throws {
        let interests = Array(repeating: "\"\(chars(50))\"", count: 20).joined(separator: ",")
        let request = try read(
            SignUpRequest.self,
            #"{"email":" Ada@example.org ","password":"\#(chars(200))","name":"\#(chars(100))","birthDate":"2000-02-29","phone":"\#(chars(30))","#
                + #""interests":[\#(interests)],"locale":"\#(chars(35))"}"#)
        #expect(request.email == "Ada@example.org" && request.profile.interests?.count == 20 && request.profile.birthDate == "2000-02-29")
        #expect(try read(SignUpRequest.self, #"{"email":"a@b","password":"12345678","name":"A"}"#).profile == Account.Profile())
    }

    @Test func `a sign-up beyond its limits is told everything`() throws {
        let interests = Array(repeating: "\"a\"", count: 21).joined(separator: ",")
        let found = try errors(
            SignUpRequest.self,
            #"{"email":"a","password":"1234567","name":"","birthDate":"2001-02-29","phone":"\#(chars(31))","interests":[\#(interests)],"locale":"\#(chars(36))"}"#
        )
        #expect(
            found == [
                FieldError("/email", .notAnEmail), FieldError("/password", .length(min: 8, max: 200)),
                FieldError("/name", .length(min: 1, max: 100)),
                FieldError("/birthDate", .notADate), FieldError("/phone", .length(min: 1, max: 30)),
                FieldError("/interests", .count(min: 0, max: 20)),
                FieldError("/locale", .length(min: 1, max: 35)),
            ])
        #expect(try errors(SignUpRequest.self, "{}").map(\.field) == ["/email", "/password", "/name"])
        #expect(
            try errors(SignUpRequest.self, #"{"email":"a@b","password":"\#(chars(201))","name":"A"}"#) == [
                FieldError("/password", .length(min: 8, max: 200))
            ])
    }

    @Test func `a password is kept as written`() throws {
        #expect(try read(SignUpRequest.self, #"{"email":"a@b","password":"  \n\t    ","name":"A"}"#).password == "  \n\t    ")
    }

    @Test func `a sign-in takes a short password, and refuses it later`() throws {
        #expect(try read(SignInRequest.self, #"{"email":"a@b","password":"x"}"#).client == "")
        #expect(try errors(SignInRequest.self, #"{"email":"a@b","password":""}"#) == [FieldError("/password", .length(min: 1, max: 200))])
    }

    @Test func `a new password needs the current one`() throws {
        #expect(try errors(EditAccountRequest.self, #"{"password":"12345678"}"#) == [FieldError("/currentPassword", .missing)])
        #expect(try errors(EditAccountRequest.self, #"{"password":"12345678","currentPassword":"x"}"#).isEmpty)
        #expect(try errors(EditAccountRequest.self, "{}").isEmpty)
        #expect(
            try errors(RefreshRequest.self, #"{"refreshToken":"\#(chars(201))"}"#) == [
                FieldError("/refreshToken", .length(min: 1, max: 200))
            ])
    }
}

struct AttendeeRequestTests {
    @Test func `a grant is asked for with a code of either kind`() throws {
        #expect(try read(GrantRequest.self, #"{"code":"x"}"#).code == "x")
        #expect(try read(GrantRequest.self, #"{"joinCode":"k7q x2m"}"#).joinCode == "k7q x2m")
        #expect(try errors(GrantRequest.self, "{}") == [FieldError("/code", .missing)])
        #expect(try errors(GrantRequest.self, #"{"code":null}"#) == [FieldError("/code", .missing)])
        #expect(try errors(GrantRequest.self, #"{"code":""}"#) == [FieldError("/code", .length(min: 1, max: 500))])
        #expect(try errors(GrantRequest.self, #"{"joinCode":"\#(chars(33, "K"))"}"#) == [FieldError("/joinCode", .length(min: 1, max: 32))])
    }

    @Test func `a check-in tells everything that it lacks`() throws {
        #expect(try errors(CheckInRequest.self, "{}") == [FieldError("/name", .missing), FieldError("/code", .missing)])
        #expect(
            try errors(CheckInRequest.self, #"{"grant":"g","name":"\#(chars(101))","email":"x","number":"\#(chars(51))"}"#) == [
                FieldError("/name", .length(min: 1, max: 100)), FieldError("/email", .notAnEmail),
                FieldError("/number", .length(min: 1, max: 50)),
            ])
        #expect(try errors(CheckInRequest.self, #"{"grant":5,"name":"A"}"#) == [FieldError("/grant", .wrongType(expected: "string"))])
    }

    @Test func `who checks in gives what the meeting identifies by`() throws {
        let request = try read(CheckInRequest.self, #"{"grant":"g","name":" 김민준 ","email":"kim@example.org"}"#)
        #expect(request.name == "김민준")
        #expect(try request.identity(by: .email) == "kim@example.org")
        #expect(try request.identity(by: .name) == "")
        #expect(throws: Refusal.invalid([FieldError("/number", .missing)])) { try request.identity(by: .number) }
        let other = CheckInRequest(grant: "g", name: "A", email: nil, number: "17")
        #expect(try other.identity(by: .number) == "17")
        #expect(throws: Refusal.invalid([FieldError("/email", .missing)])) { try other.identity(by: .email) }
        #expect(try errors(MendNameRequest.self, #"{"name":"\n"}"#) == [FieldError("/name", .length(min: 1, max: 100))])
    }
}

struct MeetingRequestTests {
    private let times = #""startsAt":"2026-11-21T10:00:00Z","endsAt":"2026-11-21T12:00:00Z""#

    @Test func `a meeting needs a name and a session's times`() throws {
        let request = try read(CreateMeetingRequest.self, #"{"name":"A","place":"","session":{\#(times)}}"#)
        #expect(request.timeZone == .utc && request.identifyBy == .email && request.plannedCount == 0 && request.place == "")
        #expect(request.session?.questions == nil)
        #expect(try errors(CreateMeetingRequest.self, "{}").map(\.field) == ["/name", "/session"])
        #expect(
            try errors(CreateMeetingRequest.self, #"{"name":"A","session":{}}"#).map(\.field) == ["/session/startsAt", "/session/endsAt"])
    }

    @Test func `a meeting at its limits is taken, and beyond them told everything`() throws {
        func body(_ more: Int) -> String {
            #"{"name":"\#(chars(100 + more))","timeZone":"\#(more == 0 ? "Asia/Seoul" : "Nowhere/City")","plannedCount":\#(100_000 + more),"identifyBy":"\#(more == 0 ? "number" : "face")","#
                + #""description":"\#(chars(2000 + more))","place":"\#(chars(200 + more))","session":{\#(times),"lateAfterMinutes":\#(1440 + more),"#
                + #""checkInOpensMinutesBefore":\#(1440 + more),"feedbackClosesHoursAfter":\#(720 + more),"plannedCount":\#(100_000 + more),"codeKind":"\#(more == 0 ? "rotating" : "rotten")","allowOverlap":\#(more == 0 ? "true" : "1")}}"#
        }
        let request = try read(CreateMeetingRequest.self, body(0))
        #expect(request.session?.settings.lateAfterMinutes == 1440 && request.session?.settings.allowOverlap == true)
        #expect(
            try errors(CreateMeetingRequest.self, body(1)).map(\.field) == [
                "/name", "/timeZone", "/plannedCount", "/identifyBy", "/description", "/place", "/session/lateAfterMinutes",
                "/session/checkInOpensMinutesBefore", "/session/feedbackClosesHoursAfter", "/session/plannedCount", "/session/codeKind",
                "/session/allowOverlap",
            ])
    }

    @Test(
        arguments: [
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z", FieldReason.endsBeforeStart),
            ("2026-11-21T10:00:00Z", "2026-11-21T19:00:00+09:00", .endsBeforeStart),
            ("2026-11-21T10:00:00Z", "2026-12-05T10:00:00Z", nil),
            ("2026-11-21T10:00:00Z", "2026-12-05T10:00:00.001Z", .tooLongASession(maxDays: 14)),
            // The first moment of all is a moment too.
            ("1970-01-01T00:00:00Z", "2026-11-21T10:00:00Z", .tooLongASession(maxDays: 14)),
            ("1970-01-01T02:00:00Z", "1970-01-01T00:00:00Z", .endsBeforeStart),
            ("2199-12-31T00:00:00Z", "2199-12-31T23:59:59.999Z", nil),
        ] as [(String, String, FieldReason?)])
    func `a session's times are held to each other`(startsAt: String, endsAt: String, reason: FieldReason?) throws {
        let found = try errors(SessionRequest.self, #"{"startsAt":"\#(startsAt)","endsAt":"\#(endsAt)"}"#)
        #expect(found == (reason.map { [FieldError("/endsAt", $0)] } ?? []))
        let overlap = try errors(
            OverlapRequest.self, #"{"startsAt":"\#(startsAt)","endsAt":"\#(endsAt)","exceptSessionId":"\#(Sample.session.id)"}"#)
        #expect(overlap == (reason == .endsBeforeStart ? [FieldError("/endsAt", .endsBeforeStart)] : []))
    }

    @Test func `an edit needs nothing, and empties what it says is empty`() throws {
        let meeting = try read(EditMeetingRequest.self, #"{"place":"  ","description":""}"#)
        #expect(meeting.place == "" && meeting.description == "" && meeting.name == nil && !meeting.renewCode)
        let session = try read(EditSessionRequest.self, "{}")
        #expect(session.startsAt == nil && session.settings.codeKind == nil && !session.renewCode)
        #expect(try errors(EditMeetingRequest.self, #"{"name":""}"#) == [FieldError("/name", .length(min: 1, max: 100))])
    }
}

struct QuestionRequestTests {
    private func question(_ text: String) throws -> Question {
        try #require(try read(SetQuestionsRequest.self, #"{"questions":[\#(text)]}"#).questions.first)
    }

    private func errorsOf(_ text: String) throws -> [FieldError] { try errors(SetQuestionsRequest.self, #"{"questions":[\#(text)]}"#) }

    private func choices(_ count: Int) -> String { (0..<count).map { #"{"label":"\#($0)"}"# }.joined(separator: ",") }

    @Test func `questions have defaults for what is not said`() throws {
        let choice = try question(#"{"kind":"multipleChoice","title":"Q","choices":[{"label":"A"},{"id":"x","label":"B"}]}"#)
        #expect(
            choice.kind
                == .multipleChoice(choices: [.init(id: "a", label: "A"), .init(id: "x", label: "B")], minSelections: 1, maxSelections: 1))
        #expect(!choice.required && choice.detail == "")
        #expect(try question(#"{"kind":"shortAnswer","title":"Q"}"#).kind == .shortAnswer(maxLength: 500))
        #expect(try question(#"{"kind":"rating","title":"Q"}"#).kind == .rating(scale: 5))
        #expect(try question(#"{"id":"\#(Sample.stars.id)","kind":"rating","title":"Q"}"#).id == Sample.stars.id)
    }

    @Test func `choices without ids are named in order, past z too`() throws {
        guard
            case .multipleChoice(let named, _, _) = try question(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(50))]}"#).kind
        else {
            Issue.record("another kind")
            return
        }
        #expect([named[0].id, named[25].id, named[26].id, named[49].id] == ["a", "z", "a1", "x1"])
        #expect(Set(named.map(\.id)).count == 50)
    }

    @Test(arguments: [
        (#""minSelections":2"#, 2, 2), (#""maxSelections":3"#, 1, 3), (#""minSelections":0,"maxSelections":2"#, 1, 2),
        (#""maxSelections":50"#, 1, 3),
        (#""minSelections":3,"maxSelections":3"#, 3, 3),
    ])
    func `selections stay within the choices`(said: String, least: Int, most: Int) throws {
        let question = try question(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(3))],\#(said)}"#)
        guard case .multipleChoice(_, let minSelections, let maxSelections) = question.kind else {
            Issue.record("another kind")
            return
        }
        #expect((minSelections, maxSelections) == (least, most))
    }

    @Test func `what is wrong with a question is told where it is, once`() throws {
        #expect(try errorsOf("{}").map(\.field) == ["/questions/0/kind", "/questions/0/title"])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice"}"#) == [
                FieldError("/questions/0/title", .missing), FieldError("/questions/0/choices", .missing),
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":"x"}"#) == [
                FieldError("/questions/0/choices", .wrongType(expected: "array"))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(1))]}"#) == [
                FieldError("/questions/0/choices", .count(min: 2, max: 50))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[\#(choices(51))]}"#) == [
                FieldError("/questions/0/choices", .count(min: 0, max: 50))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[{"label":"A"},{"label":""}]}"#) == [
                FieldError("/questions/0/choices/1/label", .length(min: 1, max: 200))
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","choices":[{"id":"x","label":"A"},{"id":"x","label":"B"}]}"#) == [
                FieldError("/questions/0/choices", .repeated)
            ])
        #expect(
            try errorsOf(#"{"kind":"multipleChoice","title":"Q","minSelections":3,"maxSelections":2,"choices":[\#(choices(3))]}"#) == [
                FieldError("/questions/0/minSelections", .range(min: 1, max: 2))
            ])
        #expect(
            try errorsOf(#"{"kind":"number","title":"Q"}"#) == [
                FieldError("/questions/0/kind", .notOneOf(["multipleChoice", "shortAnswer", "rating"]))
            ])
        #expect(
            try errorsOf(#"{"kind":"rating","title":"\#(chars(201))","detail":"\#(chars(1001))","scale":11}"#).map(\.field) == [
                "/questions/0/title", "/questions/0/detail", "/questions/0/scale",
            ])
        #expect(try errorsOf(#"{"kind":"rating","title":"Q","scale":1}"#) == [FieldError("/questions/0/scale", .range(min: 2, max: 10))])
        #expect(
            try errorsOf(#"{"kind":"shortAnswer","title":"Q","maxLength":5001}"#) == [
                FieldError("/questions/0/maxLength", .range(min: 1, max: 5000))
            ])
    }

    @Test func `a set has fifty questions at most, each once`() throws {
        func body(_ count: Int) -> String {
            #"{"questions":[\#(Array(repeating: #"{"kind":"rating","title":"Q"}"#, count: count).joined(separator: ","))]}"#
        }
        #expect(try read(SetQuestionsRequest.self, body(50)).questions.count == 50)
        #expect(try errors(SetQuestionsRequest.self, body(51)) == [FieldError("/questions", .count(min: 0, max: 50))])
        #expect(try read(SetQuestionsRequest.self, body(0)).questions.isEmpty)
        #expect(try errors(SetQuestionsRequest.self, "{}") == [FieldError("/questions", .missing)])
        let twice = #"{"id":"\#(Sample.stars.id)","kind":"rating","title":"Q"}"#
        #expect(try errorsOf("\(twice),\(twice)") == [FieldError("/questions", .repeated)])
    }

    @Test func `a set's settings are all optional`() throws {
        #expect(try read(EditQuestionSetRequest.self, "{}").open == nil)
        #expect(try read(EditQuestionSetRequest.self, #"{"open":false,"shared":true,"anonymous":null}"#).open == false)
        #expect(try errors(EditQuestionSetRequest.self, #"{"open":"yes"}"#) == [FieldError("/open", .wrongType(expected: "boolean"))])
    }
}

struct RespondRequestTests {
    private let id = Sample.stars.id.text
    private let other = Sample.text.id.text

    @Test func `answers are read by their JSON type`() throws {
        let request = try read(RespondRequest.self, #"{"answers":{"\#(id)":4,"\#(other)":"가","\#(Sample.choice.id)":["a","b"]}}"#)
        #expect(request.set == "feedback")
        #expect(request.answers == [Sample.stars.id: .rating(4), Sample.text.id: .text("가"), Sample.choice.id: .choices(["a", "b"])])
        #expect(try read(RespondRequest.self, #"{"set":"poll","answers":{"\#(id)":null}}"#).answers.isEmpty)
    }

    @Test func `what is wrong with answers is told where it is`() throws {
        #expect(try errors(RespondRequest.self, "{}") == [FieldError("/answers", .missing)])
        #expect(try errors(RespondRequest.self, #"{"answers":[]}"#) == [FieldError("/answers", .wrongType(expected: "object"))])
        #expect(
            try errors(RespondRequest.self, #"{"set":"","answers":{"\#(id)":4.5,"\#(other)":["a",1],"x/y":1}}"#) == [
                FieldError("/set", .length(min: 1, max: 40)),
                FieldError("/answers/\(id)", .wrongType(expected: "array, string or integer")),
                FieldError("/answers/\(other)", .unknownChoice), FieldError("/answers/x~1y", .unknownQuestion),
            ])
        #expect(
            try errors(RespondRequest.self, #"{"answers":{"\#(id)":"\#(chars(20_001, "a"))"}}"#) == [
                FieldError("/answers/\(id)", .length(min: 1, max: 5000))
            ])
    }

    @Test func `one question in two spellings is answered twice`() throws {
        let id = QuestionID(high: .max, low: 0).text
        #expect(
            try errors(RespondRequest.self, #"{"answers":{"\#(id)":1,"\#(id.lowercased())":2}}"#) == [FieldError("/answers", .repeated)])
    }
}

struct RequestSchemaTests {
    @Test func `every request writes down its fields without being given any`() {
        func names(_ type: (some Readable).Type) -> [String] {
            guard case .object(let fields) = Fields.schema(of: type) else { return [] }
            return fields.map { $0.isRequired ? "\($0.name)!" : $0.name }
        }
        #expect(names(SignUpRequest.self) == ["email!", "password!", "name!", "birthDate", "phone", "interests", "locale"])
        #expect(names(SignInRequest.self) == ["email!", "password!", "client"])
        #expect(names(RefreshRequest.self) == ["refreshToken!"])
        #expect(names(EditAccountRequest.self) == ["name", "password", "currentPassword", "birthDate", "phone", "interests", "locale"])
        #expect(names(GrantRequest.self) == ["code", "joinCode"])
        #expect(names(CheckInRequest.self) == ["grant", "code", "joinCode", "name!", "email", "number"])
        #expect(names(MendNameRequest.self) == ["name!"])
        #expect(
            names(CreateMeetingRequest.self) == ["name!", "timeZone", "plannedCount", "identifyBy", "description", "place", "session!"])
        let settings = [
            "lateAfterMinutes", "checkInOpensMinutesBefore", "feedbackClosesHoursAfter", "plannedCount", "codeKind", "allowOverlap",
        ]
        #expect(names(SessionRequest.self) == ["startsAt!", "endsAt!"] + settings + ["questions"])
        #expect(names(EditSessionRequest.self) == ["startsAt", "endsAt"] + settings + ["renewCode"])
        #expect(names(EditMeetingRequest.self) == ["name", "description", "place", "timeZone", "identifyBy", "renewCode"])
        #expect(names(OverlapRequest.self) == ["startsAt!", "endsAt!", "exceptSessionId"])
        #expect(names(SetQuestionsRequest.self) == ["questions!"])
        #expect(names(EditQuestionSetRequest.self) == ["open", "shared", "anonymous"])
        #expect(names(RespondRequest.self) == ["set", "answers!"])
    }
}
