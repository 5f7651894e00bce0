internal import Meetings

/// A day as people write it: `2026-11-21`, `today`, `tomorrow`, `Fri`, `next friday`; `오늘`, `내일`, `모레`,
/// `금요일`, `다음 주 금요일`, `11월 21일`, `Nov 21`, `2026/11/21`.
enum DayText: Equatable {
    case date(CivilDate)
    /// The number of days from today.
    case offset(Int64)
    /// The next day with this name, which may be today; Sunday is 0.
    case weekday(Int)
    /// `next friday`: the next day with this name after today.
    case nextWeekday(Int)
    /// `다음 주 금요일`: the day with this name in the next week; weeks begin on Monday.
    case weekdayOfNextWeek(Int)
    /// `11월 21일`: the next date with this month and day, which may be today.
    case monthDay(month: Int, day: Int)

    /// Reads a day from words in lower case.
    init?(_ words: some Collection<String>) {
        let text = words.joined()
        switch text {
        case "today", "오늘": self = .offset(0)
        case "tomorrow", "내일": self = .offset(1)
        case "모레": self = .offset(2)
        default:
            if let weekday = Self.weekday(text) {
                self = .weekday(weekday)
            } else if text.hasPrefix("next"), let weekday = Self.weekday(String(text.dropFirst(4))) {
                self = .nextWeekday(weekday)
            } else if text.hasPrefix("다음주"), let weekday = Self.weekday(String(text.dropFirst(3))) {
                self = .weekdayOfNextWeek(weekday)
            } else if let date = CivilDate(text.replacing("/", with: "-")) {
                self = .date(date)
            } else if let monthDay = Self.monthDay(text) ?? Self.monthDay(words) {
                self = monthDay
            } else {
                return nil
            }
        }
    }

    /// Returns the date that this text means.
    /// - Parameter isOver: returns whether the time on that date is too far in the past to be meant.
    func date(today: CivilDate, isOver: (CivilDate) -> Bool) -> CivilDate? {
        switch self {
        case .date(let date): return date
        case .offset(let days): return CivilDate(daysSince1970: today.daysSince1970 + days)
        case .weekday(let weekday):
            let date = CivilDate(daysSince1970: today.daysSince1970 + Self.days(from: today, to: weekday))
            return isOver(date) ? CivilDate(daysSince1970: date.daysSince1970 + 7) : date
        case .nextWeekday(let weekday):
            let days = Self.days(from: today, to: weekday)
            return CivilDate(daysSince1970: today.daysSince1970 + (days == 0 ? 7 : days))
        case .weekdayOfNextWeek(let weekday):
            let nextMonday = today.daysSince1970 + 7 - Self.days(sinceMonday: Self.weekday(of: today))
            return CivilDate(daysSince1970: nextMonday + Self.days(sinceMonday: Int64(weekday)))
        case .monthDay(let month, let day):
            // The next 29 February may be up to eight years away.
            let dates = (today.year...today.year + 8).lazy.compactMap {
                CivilDate(year: $0, month: month, day: day)
            }
            return dates.first { $0.daysSince1970 >= today.daysSince1970 && !isOver($0) }
        }
    }

    /// Returns the weekday from 0 (Sunday) to 6. The first day of 1970 was a Thursday.
    private static func weekday(of date: CivilDate) -> Int64 { (date.daysSince1970 + 4) % 7 }

    /// Returns the number of days, 0 to 6, from `today` to the next day with this weekday.
    private static func days(from today: CivilDate, to weekday: Int) -> Int64 {
        (Int64(weekday) - Self.weekday(of: today) + 7) % 7
    }

    private static func days(sinceMonday weekday: Int64) -> Int64 { (weekday + 6) % 7 }

    private static let english = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    private static let korean = ["일", "월", "화", "수", "목", "금", "토"]

    private static func weekday(_ text: String) -> Int? {
        let short = text.hasSuffix("요일") ? String(text.dropLast(2)) : text
        if let index = korean.firstIndex(of: short) { return index }
        guard text.utf8.count >= 3 else { return nil }
        return english.firstIndex {
            $0 == text || $0.prefix(3) == text
                || ["tues", "thur", "thurs"].contains(text) && $0.hasPrefix(text)
        }
    }

    private static func monthDay(_ text: String) -> DayText? {
        let parts = text.split(separator: "월", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("일"), let month = Int(parts[0]),
            let day = Int(parts[1].dropLast()),
            // 2000 was a leap year, so it contains every day of any year.
            CivilDate(year: 2000, month: month, day: day) != nil
        else { return nil }
        return .monthDay(month: month, day: day)
    }

    /// Reads an English month and day: `nov 28`, `28 november`, `november 28th`.
    private static func monthDay(_ words: some Collection<String>) -> DayText? {
        guard words.count == 2 else { return nil }
        func month(_ word: String) -> Int? {
            guard word.count >= 3 else { return nil }
            return months.firstIndex { $0.hasPrefix(word) }.map { $0 + 1 }
        }
        func day(_ word: String) -> Int? {
            Int(["st", "nd", "rd", "th"].contains(word.suffix(2)) ? String(word.dropLast(2)) : word)
        }
        for (first, second) in [(0, 1), (1, 0)] {
            let words = Array(words)
            if let month = month(words[first]), let day = day(words[second]),
                CivilDate(year: 2000, month: month, day: day) != nil
            {
                return .monthDay(month: month, day: day)
            }
        }
        return nil
    }

    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    ]
}
