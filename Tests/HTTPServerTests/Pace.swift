import Foundation

/// The pace of a slow client: runs a step every 5 ms until the step returns false, for at most 20 s.
enum Pace {
    static func run(_ step: () -> Bool) {
        let stop = Date.now + 20
        while step(), Date.now < stop { _ = poll(nil, 0, 5) }
    }
}
