/// A time of day as people write it: `19:00`, `7pm`, `7:30 pm`, `19시`, `오후 7시 30분`, `정오`.
struct ClockText: Equatable {
    let hour: Int
    let minute: Int

    /// Reads a time from words in lower case. Returns nil for a bare number, because a time needs a colon,
    /// `am`, `pm` or `시`.
    init?(_ words: some Sequence<String>) {
        var text = words.joined()[...]
        if text == "noon" || text == "정오" {
            (hour, minute) = (12, 0)
            return
        }
        var half: Half?
        for (mark, means) in [
            ("오전", Half.morning), ("아침", .morning), ("새벽", .morning), ("오후", .afternoon),
            ("저녁", .evening), ("밤", .evening),
        ] where half == nil && text.hasPrefix(mark) {
            (text, half) = (text.dropFirst(mark.count), means)
        }
        for (mark, means) in [
            ("am", Half.morning), ("a.m.", .morning), ("pm", .afternoon), ("p.m.", .afternoon),
        ] where half == nil {
            if text.hasSuffix(mark) { (text, half) = (text.dropLast(mark.count), means) }
        }
        guard let (written, minute) = Self.numbers(text, mayBeBare: half != nil) else { return nil }
        switch half {
        case nil:
            guard (0..<24).contains(written) else { return nil }
            hour = written
        case let half?:
            // 12 am is hour 0, and 12 pm is hour 12.
            // 밤 12시 can be the beginning or the end of the day.
            guard (1...(half == .evening ? 11 : 12)).contains(written) else { return nil }
            hour = written % 12 + (half == .morning ? 0 : 12)
        }
        self.minute = minute
    }

    private enum Half { case morning, afternoon, evening }

    private static func numbers(_ text: Substring, mayBeBare: Bool) -> (hour: Int, minute: Int)? {
        if let colon = text.firstIndex(of: ":") {
            return number(text[..<colon], digits: 1...2).flatMap { hour in
                number(text[text.index(after: colon)...], digits: 2...2).map { (hour, $0) }
            }
        }
        if let mark = text.firstIndex(of: "시") {
            guard let hour = number(text[..<mark], digits: 1...2) else { return nil }
            let rest = text[text.index(after: mark)...]
            if rest.isEmpty { return (hour, 0) }
            if rest == "반" { return (hour, 30) }
            guard rest.hasSuffix("분") else { return nil }
            return number(rest.dropLast(), digits: 1...2).map { (hour, $0) }
        }
        return mayBeBare ? number(text, digits: 1...2).map { ($0, 0) } : nil
    }

    /// Returns the number from 0 to 59; nil if the text is anything else.
    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }),
            let number = Int(text), number < 60
        else { return nil }
        return number
    }
}
