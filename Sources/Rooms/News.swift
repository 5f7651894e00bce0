import Meetings
import Wire

/// The newest news of a room, for subscribers that reconnect after a short time. The ring holds names in
/// memory only, and deletes a person's name when the person is removed from the session.
struct NewsRing {
    static let capacity = 1000

    private var entries: [News] = []
    private var head = 0
    /// The ring contains all news with a later sequence than this one.
    private(set) var reachesBackTo: Int64

    init(from sequence: Int64) { reachesBackTo = sequence }

    mutating func append(_ news: News) {
        switch news.kind {
        case .arrived: break
        case .changed, .removed: replace(news.kind)
        }
        if entries.count - head == Self.capacity {
            reachesBackTo = entries[head].sequence
            head += 1
            // The unused entries at the front are freed when they are as many as the ring's capacity.
            if head == Self.capacity {
                entries.removeFirst(head)
                head = 0
            }
        }
        entries.append(news)
    }

    /// Returns the news after `sequence`, in order; nil if the ring does not reach back that far.
    func news(after sequence: Int64) -> ArraySlice<News>? {
        guard sequence >= reachesBackTo else { return nil }
        return entries[firstIndex(after: sequence)...]
    }

    /// Returns the news after `sequence` that the ring still contains, in order.
    func storedNews(after sequence: Int64) -> ArraySlice<News> { entries[firstIndex(after: sequence)...] }

    private func firstIndex(after sequence: Int64) -> Int {
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the number of arrivals of this attendee after `sequence`.
    func arrivals(of id: AttendeeID, after sequence: Int64) -> Int {
        storedNews(after: sequence).count { $0.kind.isArrival && $0.kind.attendeeID == id }
    }

    private mutating func replace(_ now: News.Kind) {
        let id = now.attendeeID
        for index in head..<entries.count where entries[index].kind.attendeeID == id {
            entries[index] = entries[index].becoming(now)
        }
    }
}

extension News {
    /// Returns this news with the attendee's data from `later`. An arrival stays an arrival, unless the
    /// attendee was removed.
    func becoming(_ later: Kind) -> News {
        if case .changed(let attendee) = later, kind.isArrival {
            return News(sequence: sequence, kind: .arrived(attendee))
        }
        return News(sequence: sequence, kind: later)
    }
}

extension News.Kind {
    var attendeeID: AttendeeID {
        switch self {
        case .arrived(let attendee), .changed(let attendee): attendee.id
        case .removed(let id): id
        }
    }

    var isArrival: Bool {
        if case .arrived = self { true } else { false }
    }
}

/// The news of one frame.
struct NewsSlice {
    let news: ArraySlice<News>
    let arrivals: Int
    /// The position of a subscriber who has got the frame.
    let end: Int64

    /// Takes all of `pending`, or a part that ends before its 51st arrival. The news of one event stays
    /// together, because no position lies between it; an event with more than 50 arrivals is one slice.
    init(_ pending: ArraySlice<News>, upTo sequence: Int64) {
        var count = 0
        var arrivals = 0
        var eventBegan = (sequence: Int64.min, count: 0, arrivals: 0)
        for entry in pending {
            if entry.sequence != eventBegan.sequence { eventBegan = (entry.sequence, count, arrivals) }
            if entry.kind.isArrival {
                if arrivals >= RoomFrame.mostArrivals, eventBegan.count > 0 {
                    count = eventBegan.count
                    arrivals = eventBegan.arrivals
                    break
                }
                arrivals += 1
            }
            count += 1
        }
        news = pending.prefix(count)
        self.arrivals = arrivals
        end = count == pending.count ? sequence : news.last?.sequence ?? sequence
    }
}

/// The newest of the published arrivals, as many as a snapshot has.
struct NewestArrivals {
    /// The attendees, the newest last.
    private(set) var attendees: [Attendee]
    /// All published arrivals after this sequence are in `attendees`. Earlier ones are not added, because the
    /// arrivals between them are unknown.
    private var reachesBackTo: Int64

    init(_ attendees: [Attendee]) {
        self.attendees = attendees
        let isAll = attendees.count < RoomFrame.mostArrivals
        reachesBackTo = isAll ? 0 : (attendees.first?.arrivalSequence ?? 1) - 1
    }

    mutating func remove(_ id: AttendeeID) { attendees.removeAll { $0.id == id } }

    /// Adds an attendee, in the order of arrivals. Ignores an attendee who is only awaited, and so has no
    /// arrival.
    mutating func add(_ attendee: Attendee) {
        guard attendee.arrivalSequence > reachesBackTo else { return }
        let index = attendees.lastIndex { $0.arrivalSequence <= attendee.arrivalSequence }.map { $0 + 1 } ?? 0
        attendees.insert(attendee, at: index)
        guard attendees.count > RoomFrame.mostArrivals else { return }
        reachesBackTo = attendees.removeFirst().arrivalSequence
    }
}
