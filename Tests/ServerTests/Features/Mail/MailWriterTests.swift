import Foundation
import Meetings
import Outbound
import Phrases
import Secrets
import Testing

@testable import Server

@Suite struct MailWriterTests {
    private let writer = MailWriter(
        sender: .init(name: "QRing", address: "qring@example.org"), origin: "https://q.example.org")

    private func mail(_ content: OutgoingMail.Content, in language: String) -> OutgoingMail {
        OutgoingMail(
            to: "kim@example.org", language: language, content, notBefore: start,
            expiresAt: start + .minutes(10), owner: nil)
    }

    @Test func `a verification has the code, the link on this server, and the end of both`() {
        let mail = mail(.verification(code: "042137", path: "/verify#x"), in: "en")
        let message = writer.message(for: mail, at: start)
        #expect(message.subject == "042137 is your QRing verification code")
        #expect(message.recipient == "kim@example.org" && message.language == "en")
        #expect(message.text.contains("\n    042137\n"))
        #expect(message.text.contains("\nhttps://q.example.org/verify#x\n"))
        #expect(message.text.contains("until 11:16 (UTC)"))
        for part in ["042137", "href=\"https://q.example.org/verify#x\"", "lang=\"en\""] {
            #expect(message.html.contains(part))
        }
        // A reader that shows no images and runs no scripts loses nothing.
        #expect(!message.html.contains("<img") && !message.html.contains("<script"))
    }

    @Test func `a mail about absences names people with their numbers, counts the others, and has a link`() {
        let (kim, lee, gone) = (
            PersonID.makeTimeless(), PersonID.makeTimeless(), PersonID.makeTimeless()
        )
        let past = (0..<3).map {
            PastAttendance(.makeTimeless(), startsAt: at($0), status: .absent)
        }
        let people = NewAbsences(
            people: [kim, gone, lee].map { NewAbsences.Person($0, Absences(past)) }, more: 12)
        let meeting = Meeting(id: .makeTimeless(), name: "독서 모임", createdAt: start)
        let session = AnnouncedSession(
            Session(
                id: .makeTimeless(), meetingID: meeting.id, round: 4, startsAt: start, endsAt: at(60),
                joinCode: JoinCode.random()), of: meeting)
        let content = OutgoingMail.Content.absences(people: people, path: "/host#/meetings/x")
        let names = [kim: "Kim <b>", lee: "Lee"]
        let english = writer.message(for: mail(content, in: "en"), about: session, names: names, at: start)
        #expect(english.subject == "독서 모임: absences of 14 people")
        #expect(english.text.contains("\n- Kim <b>: 3 in a row, 3 in all\n- Lee: 3 in a row, 3 in all\n"))
        #expect(english.text.contains("And 12 more.") && english.html.contains("<li>Kim &lt;b&gt;: 3"))
        let korean = writer.message(for: mail(content, in: "ko"), about: session, names: names, at: start)
        for message in [english, korean] {
            #expect(message.html.contains("href=\"https://q.example.org/host#/meetings/x\""))
            #expect(message.unsubscribeURL == nil && message.calendar == nil)
            #expect(!message.subject.contains("Kim"))
        }
    }

    @Test func `an invitation names the inviter, the meeting and the role, and leads to the page`() {
        let content = OutgoingMail.Content.invitation(
            id: .makeTimeless(), by: "Kim <b>", to: "독서 모임", role: .host, path: "/host#/invitation/qmi_x",
            meeting: nil)
        let english = writer.message(for: mail(content, in: "en"), at: start)
        #expect(english.subject == "Invitation to 독서 모임")
        #expect(english.text.contains("Kim <b> invites you to the meeting 독서 모임 as host."))
        #expect(english.html.contains("Kim &lt;b&gt;") && english.unsubscribeURL == nil)
        let korean = writer.message(for: mail(content, in: "ko"), at: start)
        #expect(korean.text.contains("독서 모임에 진행자 역할로 초대했습니다."))
        for message in [english, korean] {
            #expect(message.html.contains("href=\"https://q.example.org/host#/invitation/qmi_x\""))
        }
    }

    @Test func `an invitation has a link that ends the mails, which shows no address and is never another`()
        throws
    {
        let keys = Keys(try #require(ServerSecret(bytes: [UInt8](repeating: 7, count: 32))))
        let writer = MailWriter(sender: writer.sender, origin: writer.origin, keys: keys)
        let meeting = MeetingID.makeTimeless()
        let mail = mail(
            .invitation(
                id: .makeTimeless(), by: "Kim", to: "A", role: .host, path: "/host", meeting: meeting),
            in: "en")
        let message = writer.message(for: mail, at: start)
        let url = try #require(message.unsubscribeURL)
        #expect(message.text.contains("invited you to a meeting.\nStop these mails:\n\(url)\n"))
        #expect(message.html.contains("href=\"\(url)\""))
        #expect(writer.message(for: mail, at: start + .hours(1)).unsubscribeURL == url)
        let token = try #require(url.split(separator: "/").last.map(String.init))
        let link = try #require(UnsubscribeLink(token, keys: keys))
        let address = IdentityKey("KIM@example.org")
        #expect(link == UnsubscribeLink(invited: address, to: meeting))
        #expect(link.isOf(address, keys: keys) && !link.isOf(IdentityKey("lee@example.org"), keys: keys))
        for index in token.indices {
            var forged = token
            forged.replaceSubrange(index...index, with: token[index] == "0" ? "1" : "0")
            #expect(UnsubscribeLink(forged, keys: keys) == nil)
        }
        let others = Keys(try #require(ServerSecret(bytes: [UInt8](repeating: 8, count: 32))))
        #expect(UnsubscribeLink(token, keys: others) == nil)
    }

    @Test func `a reset in Korean is Korean, and a repeated attempt has the same message id`() {
        let mail = mail(.passwordReset(code: "000001", path: "/reset"), in: "ko")
        let message = writer.message(for: mail, at: start)
        #expect(message.subject == "QRing 비밀번호를 새로 정하세요")
        #expect(message.text.hasPrefix("안녕하세요.\n") && message.text.contains("    000001\n"))
        #expect(writer.message(for: mail, at: start + .hours(1)).id == message.id)
    }

    @Test func `a reminder has the session's facts, its calendar entry and a link that ends the mails`()
        throws
    {
        let meeting = Meeting(
            id: .makeTimeless(), name: "독서 모임", venue: "Room 2", timeZone: Zone("Asia/Seoul") ?? .utc,
            reminders: .korean, createdAt: start)
        let session = Session(
            id: .makeTimeless(), meetingID: meeting.id, round: 3, startsAt: start + .hours(24),
            endsAt: start + .hours(25), joinCode: "ABCDEF", version: 4)
        let announced = AnnouncedSession(session, of: meeting)
        let keys = Keys(try #require(ServerSecret(bytes: [UInt8](repeating: 7, count: 32))))
        let writer = MailWriter(sender: writer.sender, origin: writer.origin, keys: keys)
        let person = PersonID.makeTimeless()
        func message(_ content: OutgoingMail.Content, in language: String = "ko") -> MailMessage {
            let mail = OutgoingMail(
                to: "kim@example.org", language: language, content, notBefore: start,
                expiresAt: start + .hours(1), owner: OutgoingMail.Owner(person), meeting: meeting.id,
                session: session.id)
            return writer.message(for: mail, about: announced, at: start)
        }
        let reminder = message(.reminder(startsAt: session.startsAt))
        #expect(reminder.subject.hasPrefix("일정 알림: 독서 모임, "))
        #expect(reminder.text.contains("Asia/Seoul") && reminder.html.contains("Room 2"))
        let address = IdentityKey("kim@example.org")
        let link = UnsubscribeLink(person: person, meeting: meeting.id, address: address, keys: keys)
        #expect(link.isOf(address, keys: keys) && !link.isOf(IdentityKey("lee@example.org"), keys: keys))
        #expect(reminder.unsubscribeURL == "https://q.example.org" + link.path(keys: keys))
        let token = String(link.path(keys: keys).dropFirst(13))
        #expect(UnsubscribeLink(token, keys: keys) == link)
        let forged = (token.first == "0" ? "1" : "0") + token.dropFirst()
        #expect(UnsubscribeLink(forged, keys: keys) == nil)
        #expect(reminder.calendar?.method == "REQUEST")
        #expect(reminder.calendar?.text.contains("\r\nSEQUENCE:3\r\n") == true)
        let french = message(.reminder(startsAt: session.startsAt), in: "fr")
        #expect(french.text.contains("de 20:06 à 21:06 (Asia/Seoul)"))
        #expect(french.text.contains("Ne plus recevoir ces e-mails\u{202F}:\nhttps"))
        #expect(french.calendar?.text.contains("(séance 3)") == true)
        let cancelled = message(.cancelled(announced))
        #expect(cancelled.calendar?.method == "CANCEL")
        #expect(cancelled.calendar?.text.contains("\r\nSEQUENCE:4\r\n") == true)
        #expect(cancelled.calendar?.text.contains("\r\nSTATUS:CANCELLED\r\n") == true)
        #expect(message(.feedbackOpen(until: session.feedbackClosesAt)).calendar == nil)
        let second = message(.checkedInElsewhere(checkedInAt: start, triedAt: start + .minutes(2)))
        #expect(second.text.contains("20:06") && second.text.contains("20:08"))
    }

    @Test func `a language that QRing does not speak gets English`() {
        let message = writer.message(for: mail(.verification(code: "1", path: "/"), in: "pt"), at: start)
        #expect(message.language == "en")
    }
}
