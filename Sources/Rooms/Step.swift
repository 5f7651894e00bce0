import Meetings
import Wire

/// The news that fit into one frame.
struct Step {
    let news: ArraySlice<News>
    let arrivals: Int
    /// The position of a subscriber that has received this news.
    let end: Int64

    /// Takes all of `pending`, or a part that ends before the 51st arrival. The news of one event stay
    /// together, because no position lies between them. If a single event has more than 50 arrivals, the step
    /// contains all of them.
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
