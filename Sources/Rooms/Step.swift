import Meetings
import Wire

/// As much news as one frame takes.
struct Step {
    let news: ArraySlice<News>
    let arrivals: Int
    /// The position of whoever has been told it.
    let end: Int64

    /// All of `pending`, or a part that ends before its 51st arrival. News of one event stay together,
    /// because a position between them cannot be told; an event that alone has more than 50 arrivals is one
    /// step.
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
