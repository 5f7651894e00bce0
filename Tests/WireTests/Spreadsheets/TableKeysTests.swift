import Meetings
import Phrases
import Testing

@testable import Wire

@Suite struct TableKeysTests {
    private let start = Instant(seconds: 1_780_000_000)

    private func rows(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    private func attendance(_ form: TableForm) -> [String] {
        let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 1, startsAt: start, endsAt: start + .hours(1),
            joinCode: "X")
        var table = AttendanceTable(session, of: meeting, form, at: start)
        table.add(Attendee(id: .makeTimeless(), sessionID: session.id, name: "Kim", walkIn: true))
        return rows(table.bytes)
    }

    private func results(_ promise: AnswerPromise, _ identifyBy: IdentifyBy, _ form: TableForm) -> [String] {
        let meeting = Meeting(id: .makeTimeless(), name: "M", identifyBy: identifyBy, createdAt: start)
        let question = Question(id: QuestionID(high: 0, low: 7), title: "Tea?", kind: .yesNo)
        let set = QuestionSet(questions: [question], promise: promise)
        return rows(ResultsTable(set, of: meeting, form).bytes)
    }

    @Test(arguments: [Language.english, .korean])
    func `keys are the same in every language, and lines are the same under keys and words`(
        language: Language
    ) {
        let keyed = attendance(TableForm(in: language, headings: .keys))
        #expect(keyed[0] == "name,email,number,status,checkedInAt,method,walkIn,note,firstTime")
        let worded = attendance(TableForm(in: language))
        #expect(keyed[1...] == worded[1...])
        #expect(worded[0] != keyed[0])
        #expect(
            rows(StatisticsTable([], [], TableForm(in: language, headings: .keys)).bytes)
                == ["question,answer,value,percent,choiceValue"])
        let meeting = Meeting(id: .makeTimeless(), name: "M", createdAt: start)
        #expect(
            rows(AudienceTable(of: meeting, TableForm(in: language, headings: .keys)).bytes)
                == ["at,text,votes,status,pinned,answer,name"])
    }

    @Test func `the key of a question is its id, and only a set with names has columns of people`() {
        let form = TableForm(in: .english, headings: .keys)
        let id = QuestionID(high: 0, low: 7).text
        #expect(results(.named, .email, form) == ["name,email,at,\(id)"])
        #expect(results(.named, .number, form) == ["name,number,at,\(id)"])
        #expect(results(.hidden, .email, form) == ["at,\(id)"])
        #expect(results(.anonymous, .email, form) == ["at,\(id)"])
    }
}
