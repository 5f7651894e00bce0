package import Phrases

/// Reads and writes durations: `2h`, `90m`, `1h30m`, `45s`, `2d`, `500ms`; `2시간 30분`, `10초`.
package enum DurationText {
    /// Reads a duration. Returns nil if `text` is malformed; every number needs a unit.
    package static func read(_ text: String) -> Duration? {
        var total = Duration.zero
        var rest = text.lowercased().filter { !$0.isWhitespace }[...]
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let unit = rest.dropFirst(digits.count).prefix { !($0.isASCII && $0.isNumber) }
            guard let number = Int(digits), number < 1_000_000, let one = units[String(unit)] else {
                return nil
            }
            total += one * number
            rest = rest.dropFirst(digits.count + unit.count)
        }
        return total
    }

    private static let units: [String: Duration] = [
        "ms": .milliseconds(1), "s": .seconds(1), "m": .seconds(60), "min": .seconds(60), "h": .seconds(3600),
        "d": .seconds(86_400),
        "초": .seconds(1), "분": .seconds(60), "시간": .seconds(3600), "일": .seconds(86_400),
    ]

    /// Writes a duration: `850 ms`, `2 s`, `12.3 s`, `4 min 5 s`, `23 h 7 min`; in Korean `850밀리초`, `4분 5초`.
    package static func write(_ duration: Duration, in language: Language) -> String {
        let (minutes, seconds, short) = language == .korean ? ("분", "초", "밀리초") : (" min", " s", " ms")
        let milliseconds =
            duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        if milliseconds < 1000 { return "\(milliseconds)\(short)" }
        if milliseconds < 60_000 {
            let tenths = milliseconds % 1000 / 100
            return "\(milliseconds / 1000)\(tenths == 0 ? "" : ".\(tenths)")\(seconds)"
        }
        let (whole, hours) = (milliseconds / 60_000, language == .korean ? "시간" : " h")
        // A part that is 0 is left out: `1 h`, not `1 h 0 min`.
        func parts(_ first: Int64, _ firstUnit: String, _ second: Int64, _ secondUnit: String) -> String {
            "\(first)\(firstUnit)" + (second == 0 ? "" : " \(second)\(secondUnit)")
        }
        return whole >= 60
            ? parts(whole / 60, hours, whole % 60, minutes)
            : parts(whole, minutes, milliseconds / 1000 % 60, seconds)
    }
}
