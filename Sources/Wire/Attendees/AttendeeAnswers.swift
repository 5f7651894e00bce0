package import Meetings

package struct AttendeeBody: Codable, Hashable, Sendable {
    package let id: AttendeeID
    package let name: String
    package let email: String?
    package let number: String?
    package let status: AttendanceStatus
    package let walkIn: Bool
    package let checkedInAt: Instant?
    package let method: CheckInMethod?
    /// For members alone: a host's words, and the entity tag's number.
    package private(set) var note: String?
    package private(set) var version: Int?
    /// Over the sessions of the meeting; where one person is asked for alone.
    package var totals: SeriesTotals?

    /// As the attendee may see it.
    package init(_ attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool) {
        id = attendee.id
        name = attendee.name
        email = identifyBy == .email && !attendee.identity.isEmpty ? attendee.identity : nil
        number = identifyBy == .number && !attendee.identity.isEmpty ? attendee.identity : nil
        status = attendee.status.shown(sessionIsOver: sessionIsOver)
        walkIn = attendee.walkIn
        checkedInAt = attendee.checkedInAt
        method = attendee.method
    }

    /// As members see it.
    package init(forMembers attendee: Attendee, identifyBy: IdentifyBy, sessionIsOver: Bool) {
        self.init(attendee, identifyBy: identifyBy, sessionIsOver: sessionIsOver)
        note = attendee.note.isEmpty ? nil : attendee.note
        version = attendee.version
    }
}

package struct GrantBody: Codable, Hashable, Sendable {
    package let grant: String
    package let session: SessionGlimpse
    package let expiresAt: Instant
    /// What is asked with the check-in; nil where nothing is.
    package let questions: [Question]?

    package init(grant: String, session: SessionGlimpse, expiresAt: Instant, questions: [Question]? = nil) {
        self.grant = grant
        self.session = session
        self.expiresAt = expiresAt
        self.questions = questions
    }
}

/// The answer to a check-in. Where somebody is in already and the caller has not proved to be them, there is
/// no attendee and no receipt.
package struct CheckInBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody?
    package let session: SessionBody
    package let receipt: String?
    package let alreadyCheckedIn: Bool
    /// Where an answer says that the session is not meant for this person: the host's words or the server's.
    /// Nothing was kept then.
    package let ended: String?

    package init(
        attendee: AttendeeBody?, session: SessionBody, receipt: String?, alreadyCheckedIn: Bool,
        ended: String? = nil
    ) {
        self.attendee = attendee
        self.session = session
        self.receipt = receipt
        self.alreadyCheckedIn = alreadyCheckedIn
        self.ended = ended
    }
}

/// What a receipt's holder sees of their own record.
package struct OwnRecordBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody
    package let session: SessionBody
    /// The sets that this attendee has answered.
    package let responded: [String]

    package init(attendee: AttendeeBody, session: SessionBody, responded: [String]) {
        self.attendee = attendee
        self.session = session
        self.responded = responded
    }
}
