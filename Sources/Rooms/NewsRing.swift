import Meetings

/// The newest news of a room, for whoever was away for a moment. It holds names, in memory only, and lets go
/// of them when a person is removed.
struct NewsRing {
    static let capacity = 1000

    private var entries: [News] = []
    private var head = 0
    /// Everything later than this is here.
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
            // The room in front is given back once it is as large as the ring.
            if head == Self.capacity {
                entries.removeFirst(head)
                head = 0
            }
        }
        entries.append(news)
    }

    /// What came after `sequence`, in order. Nil where the ring does not reach back that far.
    func news(after sequence: Int64) -> ArraySlice<News>? {
        guard sequence >= reachesBackTo else { return nil }
        return entries[firstIndex(after: sequence)...]
    }

    /// As much of it as there is.
    func newsKept(after sequence: Int64) -> ArraySlice<News> { entries[firstIndex(after: sequence)...] }

    private func firstIndex(after sequence: Int64) -> Int {
        var low = head
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// How many arrivals of that person came after `sequence`.
    func arrivals(of id: AttendeeID, after sequence: Int64) -> Int {
        newsKept(after: sequence).count { $0.kind.isArrival && $0.kind.attendeeID == id }
    }

    private mutating func replace(_ now: News.Kind) {
        let id = now.attendeeID
        for index in head..<entries.count where entries[index].kind.attendeeID == id {
            entries[index] = entries[index].becoming(now)
        }
    }
}

extension News {
    /// The same news with the person as they are after `later`: an arrival stays one, unless the person is
    /// removed.
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
