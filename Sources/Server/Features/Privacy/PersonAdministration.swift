package import Journal
package import Meetings
package import Phrases
package import Wire

/// Exports and erases a person's data in all meetings, for an operator who has the data folder.
package struct PersonAdministration: Sendable {
    private let storage: Storage

    package init(_ storage: Storage) { self.storage = storage }

    /// Returns all data about these records, also answers and votes with a hidden name.
    /// - Parameter address: the e-mail address or number by which the records were found.
    package func export(
        account: AccountID?, people: [PersonID], attendees: [AttendeeID], address: String,
        at now: Instant, in language: Language
    ) async throws(JournalError) -> PersonalDataBody {
        let body = try await storage.scan { rows throws(JournalError) -> PersonalDataBody in
            var body = PersonalDataBody(
                exportedAt: now, leavingOut: [.anonymousAnswers, .secrets, .journal], in: language)
            if let account, let data = try rows.data(ofAccount: account) { body.add(data) }
            for id in people {
                guard let person = try rows.person(id), let data = try rows.data(of: person, for: .folder)
                else { continue }
                body.add(data, withEvidence: true, at: now, in: language)
            }
            for id in attendees where !body.checkIns.contains(where: { $0.attendeeId == id }) {
                guard let attendee = try rows.attendee(id),
                    let data = try rows.data(of: attendee, for: .folder)
                else { continue }
                body.add(data, withEvidence: true, at: now, in: language)
            }
            body.unsubscriptions = try rows.unsubscribedMeetings(of: address).map {
                PersonalDataBody.UnsubscriptionData($0)
            }
            return body
        }
        try await storage.perform(NoteAction(.exported, by: .server, of: account))
        return body
    }

    /// Erases these records: the people with all records of their meetings, then the other attendees, and the
    /// account with the meetings that nobody else owns.
    /// - Throws: `.refused` if the account is the last operator's, or owns meetings and `confirmation` is not
    ///   its e-mail address. Then nothing is erased.
    package func erase(
        account: AccountID?, people: [PersonID], attendees: [AttendeeID], address: String,
        confirmation: String?
    ) async throws(JournalError) {
        if let account {
            let isThere = try await storage.read { rows throws(JournalError) in
                try rows.account(account) != nil
            }
            if isThere {
                try await storage.perform(
                    DeleteAccount(id: account, .dataFolder, confirmation: confirmation, meetings: .delete))
            }
        }
        for id in people {
            let meeting = try await storage.read { rows throws(JournalError) in
                try rows.person(id)?.meetingID
            }
            if let meeting { try await storage.erase(id, of: meeting, by: .server) }
        }
        for id in attendees { try await storage.perform(EraseAttendee(id: id)) }
        try await storage.perform(EraseAddress(address: address))
    }
}
