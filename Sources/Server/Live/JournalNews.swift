import Journal
import Meetings

extension News {
    /// Returns the news after `sequence`, made from the journal's events. Each news contains the attendee as
    /// currently stored. Returns nil if there are more events than `most`.
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
