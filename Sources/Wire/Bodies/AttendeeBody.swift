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
}

package struct GrantBody: Codable, Hashable, Sendable {
    package let grant: String
    package let session: SessionGlimpse
    package let expiresAt: Instant

    package init(grant: String, session: SessionGlimpse, expiresAt: Instant) {
        self.grant = grant
        self.session = session
        self.expiresAt = expiresAt
    }
}

/// The answer to a check-in. Where somebody is in already and the caller has not proved to be them, there is no attendee and no receipt.
package struct CheckInBody: Codable, Hashable, Sendable {
    package let attendee: AttendeeBody?
    package let session: SessionBody
    package let receipt: String?
    package let alreadyCheckedIn: Bool

    package init(attendee: AttendeeBody?, session: SessionBody, receipt: String?, alreadyCheckedIn: Bool) {
        self.attendee = attendee
        self.session = session
        self.receipt = receipt
        self.alreadyCheckedIn = alreadyCheckedIn
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
