import Meetings
import Phrases
import Testing
import Wire

struct ValueWordsTests {
    @Test func `every phase, status, method, role and kind of event has its word in both languages`() {
        #expect(Set(Phase.allCases.map(\.rawValue)) == Set(Phrase.Record.phases.keys))
        #expect(Set(AttendanceStatus.allCases.map(\.rawValue)) == Set(Phrase.Record.statuses.keys))
        #expect(Set(CheckInMethod.allCases.map(\.rawValue)) == Set(Phrase.Record.methods.keys))
        #expect(Set(Role.allCases.map(\.rawValue)) == Set(Phrase.Record.roles.keys))
        #expect(Set(Event.Kind.allCases.map(\.rawValue)) == Set(Phrase.Record.events.keys))
        #expect(Set(ActionRecord.Kind.allCases.map(\.word)) == Set(Phrase.Record.actions.keys))
        #expect(AttendanceStatus.awaited.phrase.text(in: .korean) == "미도착")
    }

    @Test func `the data sheet has words for every kind and state of a mail, and every state of an account`()
    {
        #expect(Set(OutgoingMail.Kind.allCases.map(\.word)) == Set(Phrase.Data.mailKinds.keys))
        #expect(Set(MailDelivery.State.allCases.map(\.word)) == Set(Phrase.Data.mailStates.keys))
        #expect(Set(Account.State.allCases.map(\.rawValue)) == Set(Phrase.Data.accountStates.keys))
    }
}
