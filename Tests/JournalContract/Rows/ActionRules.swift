import Journal
import Meetings
import Testing

extension RowsRule {
    static let actions: [RowsRule] = [
        RowsRule("the action log lists the newest first, of one meeting or of the server, and forgets") {
            rows in
            let all = (1...5).map { number in
                ActionRecord(
                    id: id(number), at: at(number), kind: number == 1 ? .roleChanged : .exported,
                    actor: number == 2 ? .attendee : number == 3 ? .server : .account(id(9)),
                    meeting: number.isMultiple(of: 2) ? id(7) : nil, account: number == 1 ? id(8) : nil,
                    role: number == 1 ? .host : nil)
            }
            try rows.batch { for action in all { try rows.insert(action) } }
            #expect(try rows.actions(in: nil, before: nil, limit: 9) == all.reversed())
            #expect(try rows.actions(in: id(7), before: nil, limit: 9).map(\.id) == [id(4), id(2)])
            #expect(try rows.actions(in: id(7), before: id(4), limit: 9).map(\.id) == [id(2)])
            #expect(try rows.actions(in: nil, before: id(3), limit: 1) == [all[1]])
            #expect(try rows.hasAction(before: at(1)) == false)
            #expect(try rows.hasAction(before: at(2)))
            var deleted: [Int] = []
            try rows.batch {
                deleted.append(try rows.deleteActions(before: at(4), limit: 2))
                deleted.append(try rows.deleteActions(before: at(4), limit: 2))
            }
            #expect(deleted == [2, 1])
            #expect(try rows.actions(in: nil, before: nil, limit: 9).map(\.id) == [id(5), id(4)])
        },
        RowsRule("the invitations to an address are deleted in all meetings, and old sessions are found") {
            rows in
            try rows.batch {
                try rows.insert(anAccount(1))
                for number in 1...2 {
                    try rows.insert(aMeeting(number))
                    try rows.insert(aSession(number, of: number, to: 60 * number))
                    try rows.insert(
                        MeetingInvitation(
                            id: id(number), meetingID: id(number), email: "Kim@example.org", role: .host,
                            accountID: nil, invitedBy: id(1), createdAt: at(0), expiresAt: at(9)))
                }
            }
            #expect(try rows.sessions(endedBefore: at(60), limit: 9) == [])
            #expect(try rows.sessions(endedBefore: at(61), limit: 9) == [id(1)])
            #expect(try rows.sessions(endedBefore: at(121), limit: 1) == [id(1)])
            try rows.batch { try rows.deleteInvitations(to: IdentityKey("kim@EXAMPLE.org")) }
            #expect(try rows.invitations(to: id(1)) == [])
            #expect(try rows.invitations(to: id(2)) == [])
        },
    ]
}
