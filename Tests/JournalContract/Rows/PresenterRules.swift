import Journal
import Meetings
import Testing

extension RowsRule {
    static let presenters: [RowsRule] = [
        RowsRule("presenter links are found by hash, listed by session and deleted") { rows in
            try rows.plan()
            func link(_ number: Int, of session: Int = 1) -> PresenterLink {
                PresenterLink(
                    id: id(number), sessionID: id(session), hash: hash(number), createdAt: at(number),
                    createdBy: id(number == 2 ? 2 : 1), purpose: number == 2 ? .kiosk : .hall)
            }
            try rows.begin()
            try rows.insert(anAccount(2))
            try rows.insert(aSession(2))
            try rows.insert(link(2))
            try rows.insert(link(1))
            try rows.insert(link(3, of: 2))
            try expectFailure(rows) {
                try rows.insert(
                    PresenterLink(
                        id: id(4), sessionID: id(1), hash: hash(1), createdAt: start, createdBy: id(1)))
            }
            try expectFailure(rows) {
                try rows.insert(
                    PresenterLink(
                        id: id(4), sessionID: id(1), hash: hash(4), createdAt: start, createdBy: id(9)))
            }
            try expectFailure(rows) { try rows.insert(link(5, of: 9)) }
            try rows.commit()
            #expect(try rows.presenterLink(hash: hash(2), for: .kiosk) == link(2))
            #expect(try rows.presenterLink(hash: hash(2), for: .hall) == nil)
            #expect(try rows.presenterLink(hash: hash(1), for: .hall) == link(1))
            #expect(try rows.presenterLink(hash: hash(1), for: .kiosk) == nil)
            #expect(try rows.presenterLink(hash: hash(7), for: .hall) == nil)
            #expect(try rows.presenterLinks(of: id(1)) == [link(1), link(2)])
            #expect(try rows.presenterLinks(createdBy: id(1), limit: 9) == [link(1), link(3, of: 2)])
            #expect(try rows.presenterLinks(createdBy: id(9), limit: 9).isEmpty)
            #expect(try rows.presenterLinks(createdBy: id(1), limit: 1) == [link(1)])
            try rows.batch { try rows.delete(id(1) as PresenterLinkID) }
            #expect(try rows.presenterLink(hash: hash(1), for: .hall) == nil)
            #expect(try rows.presenterLinks(of: id(1)) == [link(2)])
            // The links are deleted together with the account.
            try rows.batch { try rows.delete(id(2) as AccountID) }
            #expect(try rows.presenterLinks(of: id(1)).isEmpty)
            #expect(try rows.presenterLinks(of: id(2)) == [link(3, of: 2)])
        }
    ]
}
