/// Lines of a calendar (RFC 5545 §3.1): ended by CRLF, and folded where they are longer than 75 octets.
package struct CalendarText: Sendable {
    package private(set) var text = ""

    package init() {}

    /// `value` as it is: for dates, offsets and names that are ours.
    package mutating func add(_ name: String, _ value: String) { append("\(name):\(value)") }

    /// A text that somebody wrote (§3.3.11); nothing where it is empty.
    package mutating func add(_ name: String, text value: String) {
        if !value.isEmpty { append("\(name):\(Self.escaped(value))") }
    }

    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case ";": escaped += "\\;"
            case ",": escaped += "\\,"
            case "\n": escaped += "\\n"
            // What the grammar does not know (§3.1), the first half of CRLF among it.
            case let control where control.value < 32 && control != "\t" || control.value == 127: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A line goes on after CRLF and a space, which counts. It is broken between characters, so that each
    /// part can be read by itself.
    private mutating func append(_ line: String) {
        var octets = 0
        for character in line {
            let width = character.utf8.count
            if width > 74 {
                // Longer than a line by itself: then between scalars.
                for scalar in character.unicodeScalars { place(String(scalar), &octets) }
            } else {
                place(String(character), &octets)
            }
        }
        text += "\r\n"
    }

    private mutating func place(_ piece: String, _ octets: inout Int) {
        let width = piece.utf8.count
        if octets + width > 75 {
            text += "\r\n "
            octets = 1
        }
        text += piece
        octets += width
    }
}

extension WallTime {
    /// `20261121T190000`.
    package var calendarText: String {
        func padded(_ value: Int, _ digits: Int = 2) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return
            "\(padded(date.year, 4))\(padded(date.month))\(padded(date.day))T\(padded(hour))\(padded(minute))00"
    }
}

extension Instant {
    /// In UTC: `20261121T100000Z`.
    package var calendarText: String {
        let wall = WallTime(self, in: .utc).calendarText
        let second = (milliseconds - floorDivide(milliseconds, 60_000) * 60_000) / 1000
        return "\(wall.dropLast(2))\(second < 10 ? "0" : "")\(second)Z"
    }

    /// As a clock in the zone shows it, to the second.
    package func calendarText(in zone: Zone) -> String {
        let second = (milliseconds - floorDivide(milliseconds, 60_000) * 60_000) / 1000
        return "\(WallTime(self, in: zone).calendarText.dropLast(2))\(second < 10 ? "0" : "")\(second)"
    }
}
