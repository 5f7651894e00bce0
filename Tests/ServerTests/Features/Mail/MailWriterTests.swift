import Foundation
import Meetings
import Outbound
import Phrases
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

    @Test func `a reset in Korean is Korean, and a repeated attempt has the same message id`() {
        let mail = mail(.passwordReset(code: "000001", path: "/reset"), in: "ko")
        let message = writer.message(for: mail, at: start)
        #expect(message.subject == "QRing 비밀번호를 새로 정하세요")
        #expect(message.text.hasPrefix("안녕하세요.\n") && message.text.contains("    000001\n"))
        #expect(writer.message(for: mail, at: start + .hours(1)).id == message.id)
    }

    @Test func `a language that QRing does not speak gets English`() {
        let message = writer.message(for: mail(.verification(code: "1", path: "/"), in: "fr"), at: start)
        #expect(message.language == "en")
    }
}
