import Foundation
import Testing

@testable import Outbound

@Suite struct MailMessageTests {
    private func lines(
        subject: String = "Hello", name: String = "QRing", text: String = "Hi\n",
        to: String = "kim@example.org"
    ) -> [String] {
        let message = MailMessage(
            from: .init(name: name, address: "qring@example.org"), to: to, subject: subject, id: "01ab",
            seconds: 1_795_000_000, language: "en", text: text, html: "<p>안녕</p>\n")
        return String(decoding: message.bytes, as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test func `a message has its headers, a text part and an HTML part, with CRLF alone`() {
        let lines = lines()
        #expect(
            lines.prefix(9) == [
                "From: \"QRing\" <qring@example.org>", "To: <kim@example.org>", "Subject: Hello",
                "Date: Wed, 18 Nov 2026 11:06:40 +0000", "Message-ID: <01ab@example.org>",
                "Auto-Submitted: auto-generated", "Content-Language: en",
                "MIME-Version: 1.0",
                "Content-Type: multipart/alternative; boundary=\"=_qring_01ab\"",
            ])
        let html = Data("<p>안녕</p>\r\n".utf8).base64EncodedString()
        #expect(
            lines.dropFirst(9) == [
                "", "--=_qring_01ab", "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: 7bit", "", "Hi", "", "--=_qring_01ab",
                "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64", "", html,
                "--=_qring_01ab--", "",
            ])
        #expect(!lines.contains { $0.contains("\n") || $0.utf8.count > 78 })
    }

    @Test func `a long Korean subject becomes encoded words that divide no character`() throws {
        let subject = String(repeating: "모임 알림 ", count: 20) + "끝"
        let all = lines(subject: subject)
        let first = try #require(all.firstIndex { $0.hasPrefix("Subject: ") })
        let folded =
            [all[first].dropFirst(9)]
            + all[(first + 1)...].prefix { $0.hasPrefix(" ") }.map { $0.dropFirst() }
        let decoded = folded.map { word in
            let text = word.dropFirst("=?utf-8?B?".count).dropLast(2)
            return Data(base64Encoded: String(text)).flatMap { String(data: $0, encoding: .utf8) } ?? "?"
        }
        #expect(decoded.joined() == subject)
        #expect(all[first...].prefix(folded.count).allSatisfy { $0.utf8.count <= 78 })
    }

    @Test func `no value adds a header or a line`() {
        let all = lines(
            subject: "a\r\nBcc: x@example.org", name: "b\nBcc: y@example.org\"",
            to: "kim@example.org\r\nBcc: z@example.org")
        #expect(!all.contains { $0.hasPrefix("Bcc") })
        #expect(all[0] == "From: \"bBcc: y@example.org\\\"\" <qring@example.org>")
    }
}

@Suite struct SMTPDialogueTests {
    private func failure(_ turns: [String]) -> SMTPFailure? {
        var dialogue = SMTPDialogue()
        for turn in turns {
            if turn.first?.isNumber ?? false { dialogue.received(turn + "\r\n") } else { dialogue.sent(turn) }
        }
        return dialogue.failure
    }

    @Test func `a 5xx about the recipient or the mail is final, and any 4xx is not`() {
        let before = ["220 hi", "EHLO", "250-x", "250 y", "MAIL", "250 ok", "RCPT"]
        #expect(failure(before + ["550-no", "550 such user"])?.kind == .refused)
        #expect(failure(before + ["550-no", "550 such user"])?.reply == "550-no 550 such user")
        #expect(failure(before + ["550 no\u{0} su\u{1B}ch user"])?.reply == "550 no such user")
        #expect(failure(before + ["450 later"])?.kind == .deferred)
        #expect(failure(before + ["450 later", "QUIT", "221 bye"])?.kind == .deferred)
        #expect(failure(before + ["250 ok", "DATA", "354 go", "554 spam"])?.kind == .refused)
        #expect(failure(before + ["250 ok", "DATA", "354 go", "451 later"])?.kind == .deferred)
        #expect(failure(before + ["250 ok", "DATA", "354 go"]) == nil)
    }

    @Test func `a 5xx about the connection, the password or the sender is the operator's to correct`() {
        #expect(failure(["554 not you"])?.kind == .misconfigured)
        #expect(failure(["220 hi", "EHLO", "250 y", "AUTH", "535 wrong"])?.kind == .misconfigured)
        #expect(failure(["220 hi", "EHLO", "250 y", "MAIL", "553 sender"])?.kind == .misconfigured)
        #expect(failure(["421 busy"])?.kind == .deferred)
    }
}

@Suite struct SMTPServerTests {
    @Test func `the URL has a user and no password, and TLS is needed except on this machine`() {
        let server = SMTPServer(url: "smtps://kim%40example.org@mail.example.org")
        #expect(server?.url == "smtps://mail.example.org" && server?.user == "kim@example.org")
        #expect(server?.requiresTLS == true)
        #expect(SMTPServer(url: "smtp://mail.example.org:587")?.requiresTLS == true)
        #expect(SMTPServer(url: "smtp://127.0.0.1:2525")?.requiresTLS == false)
        for text in [
            "", "mail.example.org", "http://mail.example.org", "smtps://kim:pw@mail.example.org",
            "smtps://mail.example.org/x", "smtps://", "smtps://mail.example.org?x=1",
        ] { #expect(SMTPServer(url: text) == nil, "\(text)") }
    }
}
