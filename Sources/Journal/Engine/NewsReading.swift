package import Meetings

extension News {
    /// Returns the news after `sequence` from the journal's events, each with the attendee as the rows have
    /// it now; nil if there are more events than `most`.
    package static func read(
        from rows: any ReadableRows, session: SessionID, after sequence: Int64, most: Int
    )
        throws(JournalError) -> [News]?
    {
        var news: [News] = []
        var position = sequence
        while true {
            let events = try rows.events(of: session, after: position, limit: 200)
            for event in events {
                guard let id = event.attendeeID else { continue }
                if let into = event.data.into, let remaining = try rows.attendee(into) {
                    news.append(News(of: remaining, at: event))
                }
                guard let attendee = try rows.attendee(id) else {
                    news.append(News(sequence: event.sequence, kind: .removed(id)))
                    continue
                }
                switch event.kind {
                case .checkedIn, .corrected, .renamed, .merged, .undone, .redone, .added, .left, .returned:
                    news.append(News(of: attendee, at: event))
                case .created, .withdrawn, .responded, .edited, .removed, .presenterLinkCreated,
                    .presenterLinkRevoked, .asked, .voted, .voteRemoved, .moderated, .questionsMerged:
                    break
                }
            }
            guard let last = events.last, events.count == 200 else { return news }
            position = last.sequence
            if position - sequence > Int64(most) { return nil }
        }
    }

    /// Makes the news of an event for one of its attendees: an arrival if the attendee checked in by this
    /// event.
    private init(of attendee: Attendee, at event: Event) {
        let arrives = event.kind == .checkedIn || attendee.arrivalSequence == event.sequence
        self.init(sequence: event.sequence, kind: arrives ? .arrived(attendee) : .changed(attendee))
    }
}
