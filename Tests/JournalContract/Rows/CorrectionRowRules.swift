import Journal
import Meetings
import Testing

extension RowsRule {
    private static func aCorrection(
        _ sequence: Int64, of attendee: Int? = 1, in session: Int = 1, _ before: RecordBefore? = .added,
        forget: Int? = nil
    ) -> CorrectionRecord {
        CorrectionRecord(
            sessionID: id(session), sequence: sequence, attendeeID: attendee.map { id($0) },
            note: "왜 \(sequence)", before: before,
            versionAfter: 3, forgetAt: forget.map(at))
    }

    static let corrections: [RowsRule] = [
        RowsRule(
            "a correction is stored completely, listed by sequence, and deleted with attendee or session"
        ) { rows in
            try rows.plan()
            let whole = WholeAttendee(
                anAttendee(1, name: "김", status: .late, arrival: 3, minute: 15),
                keys: AttendeeKeys(identity: "a", grant: hash(1)),
                namedResponses: [aResponse(1, of: 1)], answered: ["feedback"])
            let kept = [
                aCorrection(1),
                aCorrection(
                    2,
                    .corrected(
                        anAttendee(1), grant: hash(2),
                        former: FormerHolder(
                            moved: [.init(record: id(1), former: id(9))], responses: [aResponse(1, of: 1)]))),
                aCorrection(3, of: 2, .removed(whole), forget: 5),
                aCorrection(4, .merged(whole, into: whole), forget: 4),
                aCorrection(5, of: nil, .edited(aSession(1))),
                aCorrection(6, nil),
            ]
            try rows.batch {
                try rows.insert(aSession(2))
                for correction in kept { try rows.save(correction) }
                try rows.save(aCorrection(1, of: 7, in: 2))
            }
            #expect(try rows.corrections(of: id(1), in: 2...5) == Array(kept[1...4]))
            for correction in kept {
                #expect(try rows.correction(of: id(1), sequence: correction.sequence) == correction)
            }
            #expect(try rows.correctionsToForget(at: at(4), limit: 9).map(\.sequence) == [4])
            #expect(try rows.correctionsToForget(at: at(5), limit: 9).map(\.sequence) == [4, 3])
            try rows.batch {
                try rows.forgetBefore(of: id(2))
                try rows.deleteCorrections(of: id(1))
            }
            #expect(try rows.corrections(of: id(1), in: 1...9).map(\.sequence) == [3, 5])
            #expect(try rows.correction(of: id(1), sequence: 3) == aCorrection(3, of: 2, nil))
            try rows.batch { try rows.delete(id(1) as SessionID) }
            #expect(try rows.correction(of: id(1), sequence: 5) == nil)
            #expect(try rows.correction(of: id(2), sequence: 1) == aCorrection(1, of: 7, in: 2))
        },
        RowsRule("keys are unique, and a trace leads to the merged record by id, key and grant") { rows in
            try rows.plan()
            let trace = MergedTrace(
                id: id(9), sessionID: id(1), into: id(1), keys: AttendeeKeys(identity: "old", grant: hash(9)))
            try rows.begin()
            try rows.insert(anAttendee(1), key: IdentityKey("a"), grant: hash(1))
            try rows.insert(anAttendee(2), key: nil, grant: nil)
            try expectFailure(rows) { try rows.setKeys(AttendeeKeys(identity: "a"), of: anAttendee(2)) }
            try rows.setKeys(AttendeeKeys(grant: hash(3)), of: anAttendee(2))
            try rows.insert(trace)
            try rows.insert(MergedTrace(id: id(8), sessionID: id(1), into: id(9), keys: AttendeeKeys()))
            try rows.commit()
            #expect(try rows.keys(of: id(1)) == AttendeeKeys(identity: "a", grant: hash(1)))
            #expect(try rows.keys(of: id(2)) == AttendeeKeys(grant: hash(3)))
            #expect(try rows.trace(of: id(9)) == trace)
            #expect(try rows.trace(in: id(1), key: IdentityKey("OLD")) == trace)
            #expect(try rows.trace(in: id(1), grant: hash(9)) == trace)
            #expect(try rows.trace(in: id(2), key: IdentityKey("old")) == nil)
            #expect(try rows.hasTraces(in: id(1)))
            #expect(try !rows.hasTraces(in: id(2)))
            #expect(try rows.traces(into: id(1)) == [trace])
            #expect(try rows.attendee(behind: id(8)) == anAttendee(1))
            try rows.batch { try rows.deleteTrace(of: id(9)) }
            #expect(try rows.attendee(behind: id(8)) == nil)
        },
    ]

    static let memberships: [RowsRule] = [
        RowsRule("an invitation replaces the address's earlier one, and is deleted with account or meeting") {
            rows in
            try rows.plan()
            func invitation(_ number: Int, _ email: String, of account: Int?, by inviter: Int = 1)
                -> MeetingInvitation
            {
                MeetingInvitation(
                    id: id(number), meetingID: id(1), email: email, role: .host,
                    accountID: account.map { id($0) },
                    invitedBy: id(inviter), createdAt: start, expiresAt: at(9))
            }
            try rows.batch {
                try rows.insert(anAccount(2))
                try rows.insert(invitation(1, "a@example.org", of: nil))
                try rows.insert(invitation(2, "A@example.org", of: nil))
                try rows.insert(invitation(3, "host2@example.org", of: 2))
                try rows.insert(invitation(4, "host4@example.org", of: nil, by: 2))
                try expectFailure(rows) {
                    try rows.insert(invitation(5, "host5@example.org", of: nil, by: 9))
                }
            }
            #expect(try rows.invitation(id(1)) == nil)
            #expect(try rows.invitations(to: id(1)).map(\.id) == [id(2), id(3), id(4)])
            #expect(try rows.invitations(of: id(2)) == [invitation(3, "host2@example.org", of: 2)])
            try rows.batch { try rows.delete(id(2) as AccountID) }
            #expect(try rows.invitations(to: id(1)).map(\.id) == [id(2)])
            try rows.batch { try rows.delete(id(2) as MeetingInvitationID) }
            #expect(try rows.invitations(to: id(1)).isEmpty)
        },
        RowsRule(
            "a meeting has one image, and check-ins show their evidence until it is deleted"
        ) { rows in
            try rows.plan()
            let image = MeetingImage(
                header: ImageHeader(format: .png, width: 3, height: 4), bytes: [0, 1, 255, 0], tag: "T")
            var person = anAttendee(1, status: .present, arrival: 1, minute: 1)
            person.evidence = CheckInEvidence(device: hash(1), network: "192.0.2.0/24")
            try rows.batch {
                try rows.setImage(MeetingImage(header: image.header, bytes: [9], tag: "S"), of: id(1))
                try rows.setImage(image, of: id(1))
                try rows.insert(person, key: nil, grant: nil)
                try rows.append(anEvent(1, EventData(codeAge: 7, grantAge: 12)))
            }
            #expect(try rows.image(of: id(1)) == image)
            #expect(try rows.hasImage(id(1)))
            #expect(try rows.attendee(id(1)) == person)
            #expect(try rows.checkInFacts(of: id(1)) == [CheckInFact(person, codeAge: 7, grantAge: 12)])
            #expect(try rows.sessionsHoldingEvidence(endedBefore: at(60), limit: 9).isEmpty)
            #expect(try rows.sessionsHoldingEvidence(endedBefore: at(61), limit: 9) == [id(1)])
            try rows.batch {
                #expect(try rows.forgetEvidence(of: id(1), after: nil, limit: 1) == id(1))
                #expect(try rows.forgetEvidence(of: id(1), after: id(1), limit: 1) == nil)
                try rows.setImage(nil, of: id(1))
            }
            #expect(try rows.image(of: id(1)) == nil)
            #expect(try !rows.hasImage(id(1)))
            #expect(try rows.attendee(id(1))?.evidence == nil)
            #expect(try rows.sessionsHoldingEvidence(endedBefore: at(61), limit: 9).isEmpty)
        },
    ]
}
