import Foundation

/// When the clocks of a zone were and will be set, as this machine's zone database has it.
package struct ZoneTransition: Hashable, Sendable {
    package let at: Instant
    /// Seconds east of Greenwich.
    package let offsetBefore: Int
    package let offsetAfter: Int
    package let isDaylight: Bool
    /// Such as `CEST`.
    package let abbreviation: String
}

extension Zone {
    /// Days are looked at one by one, since some clocks were set twice within weeks; each change is then
    /// found to the second.
    package func transitions(from first: Instant, to last: Instant) -> [ZoneTransition] {
        let zone = timeZone
        let day: Int64 = 86_400
        func offset(_ second: Int64) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }
        var transitions: [ZoneTransition] = []
        var here = floorDivide(first.milliseconds, 1000)
        var before = offset(here)
        while here < floorDivide(last.milliseconds, 1000) {
            let next = here + day
            let after = offset(next)
            if after != before {
                var (low, high) = (here, next)
                while high - low > 1 {
                    let middle = (low + high) / 2
                    if offset(middle) == before { low = middle } else { high = middle }
                }
                transitions.append(transition(at: high, from: before, to: after))
            }
            (here, before) = (next, after)
        }
        return transitions
    }

    /// What holds at a moment, as if it had begun there.
    package func observance(at moment: Instant) -> ZoneTransition {
        let second = floorDivide(moment.milliseconds, 1000)
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        return transition(at: second, from: offset, to: offset)
    }

    private func transition(at second: Int64, from before: Int, to after: Int) -> ZoneTransition {
        let (zone, date) = (timeZone, Date(timeIntervalSince1970: Double(second)))
        return ZoneTransition(
            at: Instant(seconds: second), offsetBefore: before, offsetAfter: after,
            isDaylight: zone.isDaylightSavingTime(for: date),
            abbreviation: zone.abbreviation(for: date) ?? "")
    }
}
