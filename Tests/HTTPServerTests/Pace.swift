import Foundation

/// Does something every few milliseconds for as long as it wants to go on: what a slow client is, and not a
/// wait for anything.
enum Pace {
    static func run(_ step: () -> Bool) {
        let stop = Date.now + 20
        while step(), Date.now < stop { _ = poll(nil, 0, 5) }
    }
}
