internal import FoundationEssentials
internal import Glibc

/// A mail with a text part and an HTML part, in the format of RFC 5322 and MIME (RFC 2045, 2046).
package struct MailMessage: Sendable {
    /// The sender of a mail, or the address to which answers go.
    package struct Mailbox: Hashable, Sendable {
        package let name: String
        package let address: String

        package init(name: String, address: String) {
            self.name = name
            self.address = address
        }
    }

    package let sender: Mailbox
    package let recipient: String
    package let subject: String
    /// The part of the `Message-ID` before the `@`. It is the same in every attempt, so that a receiver can
    /// recognize a repeated mail.
    package let id: String
    /// The `Date`, in seconds since 1970.
    package let seconds: Int64
    /// The tag of the language of both parts.
    package let language: String
    package let text: String
    package let html: String
    /// The URL at which the receiver unsubscribes by one POST (RFC 8058); nil for mails that were requested.
    package let unsubscribeURL: String?
    package let calendar: Calendar?

    /// A calendar entry that belongs to the mail (RFC 6047 §2.4).
    package struct Calendar: Sendable {
        /// The iTIP method, such as `REQUEST`.
        package let method: String
        package let text: String

        package init(method: String, text: String) {
            self.method = method
            self.text = text
        }
    }

    package init(
        from sender: Mailbox, to recipient: String, subject: String, id: String, seconds: Int64,
        language: String, text: String, html: String, unsubscribeURL: String? = nil,
        calendar: Calendar? = nil
    ) {
        self.sender = sender
        self.recipient = recipient
        self.subject = subject
        self.id = id
        self.seconds = seconds
        self.language = language
        self.text = text
        self.html = html
        self.unsubscribeURL = unsubscribeURL
        self.calendar = calendar
    }

    /// The message as it is sent, with CRLF after each line.
    package var bytes: [UInt8] {
        let boundary = "=_qring_\(id)"
        let domain = sender.address.split(separator: "@").last.map(String.init) ?? "localhost"
        var lines = [
            "From: \(Self.phrase(sender.name)) <\(Self.plain(sender.address))>",
            "To: <\(Self.plain(recipient))>",
            "Subject: \(Self.unstructured(subject, after: 9))",
            "Date: \(Self.date(seconds))",
            "Message-ID: <\(id)@\(domain)>",
            // RFC 3834 §5: nobody's out-of-office reply shall answer this mail.
            "Auto-Submitted: auto-generated",
            "Content-Language: \(language)",
        ]
        if let unsubscribeURL {
            lines += [
                // The URL is ASCII and has no spaces. Receivers need both headers (RFC 8058 §3.1).
                "List-Unsubscribe: <\(Self.plain(unsubscribeURL))>",
                "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
            ]
        }
        lines += [
            "MIME-Version: 1.0", "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "",
        ]
        for (type, content) in [("plain", text), ("html", html)] {
            lines += ["--\(boundary)", "Content-Type: text/\(type); charset=utf-8"] + Self.encoded(content)
        }
        if let calendar {
            // Programs show the last part that they can read, so the calendar comes last.
            lines +=
                [
                    "--\(boundary)",
                    "Content-Type: text/calendar; charset=utf-8; method=\(calendar.method)",
                    "Content-Disposition: attachment; filename=\"session.ics\"",
                ] + Self.encoded(calendar.text)
        }
        lines += ["--\(boundary)--", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// Returns the lines of a part after its type. Short lines of ASCII stay readable; everything else is
    /// base64, which needs no rule for long lines.
    private static func encoded(_ content: String) -> [String] {
        let lines = content.replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        if lines.allSatisfy({ $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 127 } }) {
            return ["Content-Transfer-Encoding: 7bit", ""] + lines.map(String.init)
        }
        let crlf = Data(lines.joined(separator: "\r\n").utf8)
        let base64 = Array(crlf.base64EncodedString().utf8)
        let cut = stride(from: 0, to: base64.count, by: 76).map {
            String(decoding: base64[$0..<min($0 + 76, base64.count)], as: UTF8.self)
        }
        return ["Content-Transfer-Encoding: base64", ""] + cut
    }

    /// Returns a header value without line breaks and control characters, so that no value can add a header.
    private static func plain(_ value: String) -> String {
        String(String.UnicodeScalarView(value.unicodeScalars.filter { $0.value >= 32 && $0.value != 127 }))
    }

    private static func phrase(_ name: String) -> String {
        let name = plain(name)
        guard name.utf8.allSatisfy({ $0 < 127 }) else { return words(name, after: 6) }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// Returns the value of an unstructured header. `after` is the length of the name with its colon.
    private static func unstructured(_ value: String, after: Int) -> String {
        let value = plain(value)
        let isShortASCII = value.utf8.count + after <= 78 && value.utf8.allSatisfy { $0 < 127 }
        return isShortASCII && !value.contains("=?") ? value : words(value, after: after)
    }

    /// Returns encoded words in base64 (RFC 2047 §2), each of at most 75 characters, on folded lines. No
    /// character is divided.
    private static func words(_ value: String, after: Int) -> String {
        var words: [String] = []
        var chunk: [UInt8] = []
        // 75 characters less `=?utf-8?B?` and `?=` hold 45 bytes in base64; the first line holds less.
        var most = 45 - after * 3 / 4
        func end() {
            words.append("=?utf-8?B?\(Data(chunk).base64EncodedString())?=")
            chunk = []
            most = 45
        }
        for scalar in value.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if chunk.count + bytes.count > most { end() }
            chunk += bytes
        }
        end()
        return words.joined(separator: "\r\n ")
    }

    /// Returns the date and time of RFC 5322 §3.3, in UTC. It does not depend on the process's locale.
    private static func date(_ seconds: Int64) -> String {
        var moment = time_t(seconds)
        var parts = tm()
        gmtime_r(&moment, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(days[Int(parts.tm_wday)]), \(parts.tm_mday) \(months[Int(parts.tm_mon)])"
        let time = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day) \(parts.tm_year + 1900) \(time) +0000"
    }
}
