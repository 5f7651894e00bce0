package import Meetings
package import Wire

/// The frames that a room makes for its current, new and returning subscribers.
extension Room {
    // MARK: At a flush

    /// Makes the frames of one flush: for each view one frame with the news and a changed tally, then one
    /// frame for each further tally of this flush. `next` says whether another flush must follow.
    package mutating func flush(for views: Set<View>, at now: Instant, elapsed: Duration) -> (
        publications: [Publication], next: Action
    ) {
        let due = changed.tallies.prefix(beginFlush(elapsed))
        let pending = ring.storedNews(after: published)
        let slice = NewsSlice(pending, upTo: sequence)
        let omitted = arrivalsApplied - arrivalsPublished - pending.count { $0.kind.isArrival }
        var publications: [Publication] = []
        for view in View.allCases where views.contains(view) {
            let toCome = arrivals(after: slice.end, for: view)
            let questions = board == publishedBoard ? nil : board.frame(for: view, since: publishedBoard)
            var tallies = due.isEmpty ? [] : tallies(for: view).filter { due.contains($0.questionId) }[...]
            if questions != nil || slice.end > published || changed.session || changed.counts
                || changed.feedback || view.showsNames && !changed.texts.isEmpty
                || !changed.sets.isEmpty || changed.deleted.contains(where: { view.knows($0) })
                || changed.code && view.showsCode
            {
                var frame = newsFrame(for: view, slice, omitted: omitted, at: now)
                frame.audienceQuestions = questions
                frame.arrivalsToCome = toCome
                frame.tally = tallies.popFirst()
                frame.more = tallies.isEmpty ? nil : true
                publications.append(Publication(view: view, from: published, to: slice.end, frame: frame))
            }
            publications += frames(of: tallies, for: view, at: slice.end, toCome)
        }
        published = slice.end
        for entry in slice.news {
            if case .arrived(let attendee) = entry.kind { notePublished(attendee) }
        }
        arrivalsPublished += omitted + slice.arrivals
        for texts in changedTexts { publishedTexts[texts.question] = texts }
        let waiting = changed.tallies.dropFirst(due.count)
        changed = Changed()
        changed.tallies = Array(waiting)
        publishedBoard = board
        return (publications, published < sequence || !waiting.isEmpty ? schedule(elapsed) : .none)
    }

    private func newsFrame(for view: View, _ slice: NewsSlice, omitted: Int, at now: Instant) -> RoomFrame {
        var frame = RoomFrame(room: view.name(of: session.id), sequence: slice.end)
        if changed.counts { frame.attendance = attendance(at: now) }
        if changed.session { frame.session = body(for: view, at: now) }
        if changed.feedback { frame.feedback = feedback(for: view, at: now) }
        let changedSets = summaries(for: view, at: now) { changed.sets.contains($0.name) }
        if !changedSets.isEmpty { frame.sets = changedSets }
        frame.removedSets = removedSets(changed.deleted, for: view)
        if changed.code, view.showsCode { frame.code = code }
        if view.showsNames {
            write(slice.news, omitted: omitted, in: &frame, at: now)
            let texts = changedTexts.map { $0.changes(since: publishedTexts[$0.question]) }
            if !texts.isEmpty { frame.moderated = texts }
        }
        return frame
    }

    private var changedTexts: [QuestionTexts] {
        changed.texts.isEmpty ? [] : allTexts.filter { changed.texts.contains($0.question) }
    }

    private var allTexts: [QuestionTexts] { setsInOrder.flatMap(\.texts) }

    /// Returns the texts for new and returning members; nil for others, and if no question takes texts.
    private func texts(for view: View) -> [ModeratedTextsFrame]? {
        guard view.showsNames else { return nil }
        let texts = allTexts.map(\.whole)
        return texts.isEmpty ? nil : texts
    }

    /// Writes the news into the frame, each attendee once with the newest data. An arrival already contains
    /// the attendee's later changes. If an attendee has several changes, only the latest one is written.
    private func write(_ news: ArraySlice<News>, omitted: Int, in frame: inout RoomFrame, at now: Instant) {
        var arrivals: [AttendeeBody] = []
        var changed: [AttendeeBody] = []
        var removed: [AttendeeID] = []
        var listed = Set<AttendeeID>()
        // A host can correct an arrival to awaited, and the attendee can then arrive again.
        for case .arrived(let attendee) in news.reversed().map(\.kind)
        where listed.insert(attendee.id).inserted {
            arrivals.append(body(of: attendee, at: now))
        }
        for entry in news.reversed() where listed.insert(entry.kind.attendeeID).inserted {
            switch entry.kind {
            case .arrived: break
            case .changed(let attendee): changed.append(body(of: attendee, at: now))
            case .removed(let id): removed.append(id)
            }
        }
        if !arrivals.isEmpty { frame.arrivals = arrivals.reversed() }
        if !changed.isEmpty { frame.changed = changed.reversed() }
        if !removed.isEmpty { frame.removed = removed.reversed() }
        if omitted > 0 { frame.arrivalsOmitted = omitted }
    }

    private func frames(
        of tallies: ArraySlice<TallyBody>, for view: View, at position: Int64, _ arrivalsToCome: Int?
    ) -> [Publication] {
        tallies.indices.map { index in
            var frame = RoomFrame(room: view.name(of: session.id), sequence: position)
            frame.tally = tallies[index]
            frame.arrivalsToCome = arrivalsToCome
            frame.more = index == tallies.endIndex - 1 ? nil : true
            return Publication(view: view, from: position, to: position, frame: frame)
        }
    }

    // MARK: For new and returning subscribers

    /// Returns the room's complete state for subscribers at the position `published`.
    package func snapshot(for view: View, at now: Instant) -> RoomFrame {
        var frame = RoomFrame(room: view.name(of: session.id), sequence: published)
        frame.snapshot = RoomFrame.Snapshot(
            session: body(for: view, at: now), tallies: tallies(for: view),
            arrivals: view.showsNames ? newest.attendees.map { body(of: $0, at: now) } : nil,
            code: view.showsCode ? code : nil,
            sets: summaries(for: view, at: now),
            audienceQuestions: board.isUsed ? board.frame(for: view) : nil, moderated: texts(for: view),
            arrivalsToCome: arrivals(after: published, for: view))
        return frame
    }

    /// Returns the frames that a subscriber at `position` has missed, up to `published`. Returns nil if the
    /// ring does not reach back that far; then the caller reads the journal and calls `catchUp` with its
    /// news.
    package func catchUp(from position: Int64, view: View, at now: Instant) -> [Publication]? {
        ring.news(after: position).map { catchUp(from: position, with: $0, view: view, at: now) }
    }

    /// Returns the frames that a subscriber at `position` has missed, made from news that the caller read
    /// from the journal. The news must all be after `position` and in order.
    package func catchUp(from position: Int64, with news: ArraySlice<News>, view: View, at now: Instant)
        -> [Publication]
    {
        var publications: [Publication] = []
        let tallies = tallies(for: view)
        let toCome = arrivals(after: published, for: view)
        var rest = news.prefix { $0.sequence <= published }
        var at = position
        repeat {
            let slice = NewsSlice(rest, upTo: published)
            var frame = RoomFrame(room: view.name(of: session.id), sequence: slice.end)
            if view.showsNames { write(slice.news, omitted: 0, in: &frame, at: now) }
            rest = rest.dropFirst(slice.news.count)
            if slice.end == published {
                frame.attendance = attendance(at: now)
                frame.feedback = feedback(for: view, at: now)
                frame.session = body(for: view, at: now)
                frame.sets = summaries(for: view, at: now)
                frame.removedSets = removedSets(deleted, for: view)
                if view.showsCode { frame.code = code }
                if board.isUsed { frame.audienceQuestions = board.frame(for: view) }
                frame.moderated = texts(for: view)
                frame.more = tallies.isEmpty ? nil : true
                frame.arrivalsToCome = toCome
            }
            publications.append(Publication(view: view, from: at, to: slice.end, frame: frame))
            at = slice.end
        } while at < published
        return publications + frames(of: tallies[...], for: view, at: published, toCome)
    }

    /// Returns the number of arrivals after `position`, which the counts include already; nil if there are
    /// none, or if the view shows no names.
    private func arrivals(after position: Int64, for view: View) -> Int? {
        guard view.showsNames else { return nil }
        let count = ring.storedNews(after: position).count { $0.kind.isArrival }
        return count > 0 ? count : nil
    }

    /// Returns news that were read from the journal, followed by the room's newer news. If an attendee was
    /// changed or removed after the read, all news of this attendee show the newer state.
    package func completed(_ read: [News], after position: Int64) -> ArraySlice<News> {
        let later = ring.storedNews(after: read.last?.sequence ?? position)
        var now: [AttendeeID: News.Kind] = [:]
        for entry in later where !entry.kind.isArrival { now[entry.kind.attendeeID] = entry.kind }
        return (read.map { entry in now[entry.kind.attendeeID].map { entry.becoming($0) } ?? entry } + later)[
            ...]
    }

    // MARK: Bodies

    private var summary: FeedbackSummary { sets[QuestionSet.feedback]?.set.summary ?? .none }

    private func feedback(for view: View, at now: Instant) -> SessionBody.Feedback {
        SessionBody.Feedback(
            summary, tellsAnonymity: view != .audience || summary.hasFixedAnonymity(in: session, at: now))
    }

    private func attendance(at now: Instant) -> Attendance {
        record.attendance(at: now)
    }

    /// Returns the session as the view shows it.
    package func body(for view: View, at now: Instant) -> SessionBody {
        var body = SessionBody(session, of: meeting, headCount: record.headCount, feedback: summary, at: now)
        body.feedback = feedback(for: view, at: now)
        if view.showsCode {
            body.joinCode = code?.joinCode
            body.checkInUrl = code?.url
        }
        return body
    }

    private func body(of attendee: Attendee, at now: Instant) -> AttendeeBody {
        AttendeeBody(forMembers: attendee, in: record, at: now)
    }

    private func tallies(for view: View) -> [TallyBody] {
        setsInOrder.filter { view.shows($0.set) }.flatMap { $0.tallies }
    }

    private func summaries(
        for view: View, at now: Instant, where isWanted: (QuestionSet) -> Bool = { _ in true }
    ) -> [QuestionSetSummary] {
        setsInOrder.map(\.set).filter { view.knows($0) && isWanted($0) }
            .map { set in
                let isFixed = set.hasFixedAnonymity(in: session, at: now)
                var summary = QuestionSetSummary(
                    set, open: set.isOpen(in: session, at: now), anonymityFixed: isFixed,
                    tellsAnonymity: isFixed || view != .audience, tellsQuestions: view.shows(set))
                // A shared set has tallies, which contain the questions.
                if view == .presenter, summary.open, !set.shared, set.name != QuestionSet.feedback {
                    summary.asked = set.asked.map(AskedQuestion.init)
                }
                return summary
            }
    }

    /// Returns the names of the deleted sets that the view knew; nil if there are none.
    private func removedSets(_ deleted: [QuestionSet], for view: View) -> [String]? {
        let names = deleted.filter { view.knows($0) }.map(\.name)
        return names.isEmpty ? nil : names
    }

    private var setsInOrder: [SetResults] {
        sets.values.sorted { $0.set.sortKey < $1.set.sortKey }
    }
}
