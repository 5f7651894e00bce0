internal import Glibc

/// The rule by which a zone changes its clocks each year, in the form of the variable TZ of POSIX with the
/// extensions of RFC 8536 §3.3.1, such as `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Sendable {
    private let standard: LocalTime
    /// The other time of the year, its first and its last day; nil if the clocks never change.
    private let daylight: (time: LocalTime, start: Change, end: Change)?

    /// Reads a rule. Returns nil if the text has another form.
    init?(_ text: String) {
        var reader = Reader(text: text[...])
        guard let name = reader.name(), let west = reader.time(hours: 24) else { return nil }
        standard = LocalTime(offset: -west, isDaylight: false, abbreviation: name)
        if reader.text.isEmpty {
            daylight = nil
            return
        }
        guard let name = reader.name() else { return nil }
        var offset = standard.offset + 3600
        if reader.text.first != "," {
            guard let west = reader.time(hours: 24) else { return nil }
            offset = -west
        }
        guard let start = reader.change(), let end = reader.change(), reader.text.isEmpty else { return nil }
        daylight = (LocalTime(offset: offset, isDaylight: true, abbreviation: name), start, end)
    }

    func localTime(at second: Int64) -> LocalTime {
        guard let daylight else { return standard }
        var (moment, parts) = (time_t(second + Int64(standard.offset)), tm())
        gmtime_r(&moment, &parts)
        let start = daylight.start.second(inYear: parts.tm_year) - Int64(standard.offset)
        let end = daylight.end.second(inYear: parts.tm_year) - Int64(daylight.time.offset)
        // In the south, daylight saving time includes the turn of the year.
        let isDaylight = start < end ? start <= second && second < end : !(end <= second && second < start)
        return isDaylight ? daylight.time : standard
    }

    /// A change of the clocks: a day of each year, and the seconds after its midnight.
    private struct Change {
        enum Day {
            /// The day 1–365; the 29th of February is never counted.
            case ofYearWithoutLeapDay(Int)
            /// The day 0–365; the 29th of February is counted.
            case ofYear(Int)
            /// A day of a week: in the month 1–12, the week 1–5 (5 is the last one), the weekday 0–6.
            case ofWeek(month: Int, week: Int, weekday: Int)
        }
        let day: Day
        let time: Int

        /// Returns the moment of the change in a year since 1900, as seconds since 1970 of local time.
        func second(inYear year: Int32) -> Int64 {
            /// Returns the midnight of a day, and its weekday. The C library accepts days outside of a month.
            func midnight(month: Int, day: Int) -> (second: Int64, weekday: Int) {
                var parts = tm()
                (parts.tm_year, parts.tm_mon, parts.tm_mday) = (year, Int32(month - 1), Int32(day))
                let second = timegm(&parts)
                return (Int64(second), Int(parts.tm_wday))
            }
            let start: Int64
            switch day {
            case .ofYear(let day): start = midnight(month: 1, day: day + 1).second
            case .ofYearWithoutLeapDay(let day):
                // Days from the 1st of March are counted from there.
                start =
                    day < 60 ? midnight(month: 1, day: day).second : midnight(month: 3, day: day - 59).second
            case .ofWeek(let month, let week, let weekday):
                let first = midnight(month: month, day: 1)
                var day = 1 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
                let next = midnight(month: month + 1, day: 1).second
                if first.second + Int64(day - 1) * 86_400 >= next { day -= 7 }
                start = first.second + Int64(day - 1) * 86_400
            }
            return start + Int64(time)
        }
    }

    private struct Reader {
        var text: Substring

        mutating func skip(_ character: Character) -> Bool {
            guard text.first == character else { return false }
            text.removeFirst()
            return true
        }

        /// Reads letters, or letters, digits and signs in angle brackets.
        mutating func name() -> String? {
            let isQuoted = skip("<")
            let name = text.prefix { isQuoted ? $0 != ">" : $0.isLetter }
            text = text.dropFirst(name.count)
            guard name.count >= 3, !isQuoted || skip(">") else { return nil }
            return String(name)
        }

        mutating func number(_ range: ClosedRange<Int>) -> Int? {
            let digits = text.prefix { $0.isNumber }
            guard let number = Int(digits), range.contains(number) else { return nil }
            text = text.dropFirst(digits.count)
            return number
        }

        /// Reads a time, `[+-]hours[:minutes[:seconds]]`, and returns it in seconds.
        mutating func time(hours: Int) -> Int? {
            let sign = skip("-") ? -1 : 1
            if sign == 1 { _ = skip("+") }
            guard var seconds = number(0...hours).map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where skip(":") {
                guard let part = number(0...59) else { return nil }
                seconds += part * unit
            }
            return sign * seconds
        }

        /// Reads a comma, a day and its time, which is 02:00 by default.
        mutating func change() -> Change? {
            guard skip(","), let day = day() else { return nil }
            guard skip("/") else { return Change(day: day, time: 7200) }
            return time(hours: 167).map { Change(day: day, time: $0) }
        }

        private mutating func day() -> Change.Day? {
            if skip("J") { return number(1...365).map { .ofYearWithoutLeapDay($0) } }
            guard skip("M") else { return number(0...365).map { .ofYear($0) } }
            guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
                let weekday = number(0...6)
            else { return nil }
            return .ofWeek(month: month, week: week, weekday: weekday)
        }
    }
}
