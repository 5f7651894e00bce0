package import Meetings

/// An account as an operator sees it.
package struct AccountReport: Codable, Hashable, Sendable {
    package let account: AccountBody
    package let signIns: [SignInBody]
    /// The number of meetings that the account owns.
    package let ownedMeetings: Int

    package init(account: AccountBody, signIns: [SignInBody], ownedMeetings: Int) {
        self.account = account
        self.signIns = signIns
        self.ownedMeetings = ownedMeetings
    }
}

/// The request by which an operator creates an account for somebody.
package struct CreateUserRequest: Readable, Sendable {
    package let email: String
    package let name: String

    package init(reading fields: Fields) {
        email = fields.email("email", required: true) ?? ""
        name = fields.name("name", required: true) ?? ""
    }
}

/// An account with a random password, which the operator hands over. No other answer contains it.
package struct NewPasswordBody: Codable, Hashable, Sendable {
    package let account: AccountBody
    package let password: String

    package init(account: AccountBody, password: String) {
        self.account = account
        self.password = password
    }
}

/// A fact that needs the operator's attention.
package struct NoticeBody: Codable, Hashable, Sendable {
    /// `unnamed_proxy`: requests look as if a proxy forwarded them that is not named as trusted.
    package let code: String
    /// A sentence in the language of the request.
    package let text: String
    package let lastAt: Instant

    package init(code: String, text: String, lastAt: Instant) {
        (self.code, self.text, self.lastAt) = (code, text, lastAt)
    }
}

/// A mail of the queue, without its content.
package struct QueuedMailBody: Codable, Hashable, Sendable {
    package let id: MailID
    package let kind: String
    package let state: String
    package let recipient: String
    package let queuedAt: Instant
    package let expiresAt: Instant
    package let attempts: Int
    /// The receiver's last reply that was no success.
    package let reply: String?

    package init(_ mail: MailRecord) {
        id = mail.id
        kind = mail.kind.word
        state = mail.delivery.state.word
        recipient = mail.recipient
        queuedAt = mail.queuedAt
        expiresAt = mail.expiresAt
        attempts = mail.delivery.attempts
        reply = mail.delivery.reply.isEmpty ? nil : mail.delivery.reply
    }
}

/// The budgets of messages with codes, one for each channel.
package struct CodeBudgetsBody: Codable, Hashable, Sendable {
    package let items: [CodeBudgetBody]

    package init(items: [CodeBudgetBody]) { self.items = items }
}

/// The budget of an hour for messages with codes.
package struct CodeBudgetBody: Codable, Hashable, Sendable {
    /// `mail` or `phone`.
    package let channel: String
    /// `enough`, `low`, `keptForMarks` or `usedUp`.
    package let state: String
    package let most: Int
    /// The requests of the present hour.
    package let used: Int
    /// The most requests of clients that have not signed in or checked in before.
    package let mostWithoutMark: Int
    package let usedWithoutMark: Int

    package init(
        channel: String, state: String, most: Int, used: Int, mostWithoutMark: Int, usedWithoutMark: Int
    ) {
        self.channel = channel
        self.state = state
        self.most = most
        self.used = used
        self.mostWithoutMark = mostWithoutMark
        self.usedWithoutMark = usedWithoutMark
    }
}
