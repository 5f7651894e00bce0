import Journal
import Meetings
import Testing

extension RowsRule {
    static let events: [RowsRule] = [
        RowsRule("every field of every kind of event reads back") { rows in
            try rows.plan()
            let actors: [Event.Actor] = [.attendee, .server, .account(id(1))]
            let data = [
                EventData(),
                EventData(
                    status: .late, before: .present, method: .joinCode, walkIn: true, codeAge: 0, grantAge: 9,
                    set: "mid-way",
                    fields: ["startsAt", "name"],
                    recomputed: 7,
                    changes: [
                        FieldChange("startsAt", from: "a", to: "b"),
                        FieldChange("plannedCount", from: "", to: "2"),
                    ]),
                EventData(walkIn: false, fields: [], link: id(5)),
            ]
            var written: [Event] = []
            for kind in Event.Kind.allCases {
                for (actor, data) in zip(actors, data) {
                    let sequence = Int64(written.count + 1)
                    written.append(
                        Event(
                            sessionID: id(1), sequence: sequence, at: at(Int(sequence)), kind: kind,
                            attendeeID: sequence % 2 == 0 ? nil : id(3), actor: actor, data: data))
                }
            }
            try rows.batch { for event in written { try rows.append(event) } }
            #expect(try rows.events(of: id(1), after: 0, limit: 100) == written)
        },
        RowsRule("a session's events are read in order, in pages without gaps or duplicates") { rows in
            try rows.plan()
            try rows.batch {
                try rows.insert(aSession(2))
                for sequence in 1...20 {
                    try rows.append(anEvent(Int64(sequence)))
                    try rows.append(anEvent(Int64(sequence), in: 2))
                }
            }
            let paged: [Event] = try pages { try rows.events(of: id(1), after: $0?.sequence ?? 0, limit: 7) }
            #expect(paged.map(\.sequence) == Array(1...20))
            #expect(paged.allSatisfy { $0.sessionID == id(1) })
            #expect(try rows.events(of: id(1), after: 20, limit: 9).isEmpty)
        },
        RowsRule("a sequence is unique within a session, and the session must exist") { rows in
            try rows.plan()
            try rows.begin()
            try rows.append(anEvent(1))
            try expectFailure(rows) { try rows.append(anEvent(1)) }
            try expectFailure(rows) { try rows.append(anEvent(1, in: 9)) }
            try rows.append(anEvent(2))
            try rows.commit()
            #expect(try rows.events(of: id(1), after: 0, limit: 9).map(\.sequence) == [1, 2])
        },
    ]
}
