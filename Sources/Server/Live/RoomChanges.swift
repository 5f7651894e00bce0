import Journal
import Meetings
import Rooms

extension RoomChange {
    /// More than this many people changed by one edit are not told one by one: the edit itself tells clients
    /// to read their lists again.
    fileprivate static let mostChangedAtOnce = 50

    /// Nil where the session is gone.
    init?(_ change: SessionChange) {
        guard let record = change.record else { return nil }
        self.init(
            session: record.session, meeting: record.meeting, headCount: record.headCount,
            sequence: record.sequence, news: News.of(change),
            sets: change.sets, isEdited: change.isEdited)
    }
}

extension News {
    fileprivate static func of(_ change: SessionChange) -> [News] {
        var arrivals = Dictionary(change.arrivals.map { ($0.id, $0) }) { _, newest in newest }
        var changed = Dictionary(change.changed.map { ($0.id, $0) }) { _, newest in newest }
        let removed = Set(change.removed)
        var news: [News] = []
        for event in change.events {
            guard let id = event.attendeeID else { continue }
            if let attendee = event.kind.mayBringIn ? arrivals.removeValue(forKey: id) : nil {
                news.append(
                    News(
                        sequence: event.sequence,
                        kind: removed.contains(id) ? .removed(id) : .arrived(changed[id] ?? attendee)))
            } else if removed.contains(id) {
                news.append(News(sequence: event.sequence, kind: .removed(id)))
            } else if let attendee = changed.removeValue(forKey: id) {
                news.append(News(sequence: event.sequence, kind: .changed(attendee)))
            }
        }
        // What an edit recomputed has no event of its own.
        if let last = change.events.last?.sequence, changed.count <= RoomChange.mostChangedAtOnce {
            news += changed.values.sorted { $0.id < $1.id }.map { News(sequence: last, kind: .changed($0)) }
        }
        return news
    }

    /// What the journal's events say to a room, joined with those who are still there.
    static func read(from rows: any ReadableRows, session: SessionID, after sequence: Int64, most: Int)
        throws(JournalError) -> [News]?
    {
        var news: [News] = []
        var position = sequence
        while true {
            let events = try rows.events(of: session, after: position, limit: 200)
            for event in events {
                guard let id = event.attendeeID else { continue }
                if let into = event.data.into, let kept = try rows.attendee(into) {
                    news.append(News(sequence: event.sequence, kind: .changed(kept)))
                }
                guard let attendee = try rows.attendee(id) else {
                    news.append(News(sequence: event.sequence, kind: .removed(id)))
                    continue
                }
                switch event.kind {
                case .checkedIn: news.append(News(sequence: event.sequence, kind: .arrived(attendee)))
                case .corrected, .renamed, .merged, .undone, .added:
                    let arrives = attendee.arrivalSequence == event.sequence
                    news.append(
                        News(
                            sequence: event.sequence, kind: arrives ? .arrived(attendee) : .changed(attendee))
                    )
                case .created, .withdrawn, .responded, .edited, .removed, .presenterLinkCreated,
                    .presenterLinkRevoked:
                    break
                }
            }
            guard let last = events.last, events.count == 200 else { return news }
            position = last.sequence
            if position - sequence > Int64(most) { return nil }
        }
    }
}

extension Event.Kind {
    /// Whoever comes in by a host's word arrives as who scanned does.
    fileprivate var mayBringIn: Bool {
        switch self {
        case .checkedIn, .added, .corrected, .undone: true
        case .created, .renamed, .merged, .withdrawn, .responded, .edited, .removed, .presenterLinkCreated,
            .presenterLinkRevoked:
            false
        }
    }
}
