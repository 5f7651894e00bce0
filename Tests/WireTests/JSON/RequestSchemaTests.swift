import Meetings
import Testing
import Wire

struct RequestSchemaTests {
    @Test func `every request type writes its schema without an input`() {
        func names(_ type: (some Readable).Type) -> [String] {
            guard case .object(let fields) = Fields.schema(of: type) else { return [] }
            return fields.map { $0.isRequired ? "\($0.name)!" : $0.name }
        }
        let profile = [
            "birthDate", "phone", "interests", "locale", "gender", "nickname", "searchable", "ageRange",
            "notifications",
        ]
        #expect(
            names(SignUpRequest.self) == ["email!", "password!", "name!"] + profile + [
                "invitation", "setupToken", "termsAccepted",
            ])
        #expect(names(SignInRequest.self) == ["email!", "password!", "client", "mark"])
        #expect(
            names(NamedTokenRequest.self) == ["name!", "access!", "meetingId", "expiresAt"])
        #expect(names(RefreshRequest.self) == ["refreshToken!"])
        #expect(names(EditAccountRequest.self) == ["name", "password", "currentPassword"] + profile)
        #expect(names(GrantRequest.self) == ["code", "joinCode"])
        #expect(
            names(CheckInRequest.self) == [
                "grant", "code", "joinCode", "name!", "email", "number", "answers", "consentNumber",
            ])
        #expect(names(RenameRequest.self) == ["email", "number", "name"])
        #expect(
            names(CreateMeetingRequest.self) == [
                "name!", "timeZone", "plannedCount", "identifyBy", "regulars", "language", "accent",
                "consentText", "description", "place",
                "session!",
            ])
        let settings = [
            "title", "lateAfterMinutes", "checkInOpensMinutesBefore", "feedbackClosesHoursAfter",
            "plannedCount", "codeKind", "codeAcceptedSeconds", "checkOut", "minimumMinutes", "minimumPercent",
            "allowOverlap",
        ]
        #expect(
            names(SessionRequest.self) == ["startsAt!", "endsAt!"] + settings + ["questions", "anonymous"])
        #expect(
            names(EditSessionRequest.self) == ["startsAt", "endsAt"] + settings + [
                "renewCode", "revokePresenterLinks", "note",
            ])
        #expect(
            names(EditMeetingRequest.self) == [
                "name", "description", "place", "timeZone", "identifyBy", "regulars", "reminders",
                "language", "accent", "consentText", "absenceRule", "renewCode", "renewAllCodes",
                "revokePresenterLinks",
            ])
        #expect(names(OverlapRequest.self) == ["startsAt!", "endsAt!", "exceptSessionId"])
        let about = ["title", "titles", "description", "descriptions", "next"]
        #expect(
            names(SetQuestionsRequest.self) == ["questions!", "anonymous", "promise", "changeable"] + about)
        #expect(
            names(EditQuestionSetRequest.self)
                == [
                    "open", "shared", "anonymous", "promise", "changeable", "position", "publishedAs",
                    "oncePerDevice",
                ]
                + about
        )
        #expect(
            names(CreatePollRequest.self)
                == ["questions", "copyOf", "promise", "changeable", "open", "shared"] + about)
        #expect(names(CopyQuestionsRequest.self) == ["from!", "set", "as"])
        #expect(names(RespondRequest.self) == ["set", "answers!", "anonymous", "promise"])
    }
}
