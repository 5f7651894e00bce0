/// The texts for the parts of a date and time on the pages.
extension Phrase.Page {
    package static let dayAndTime = Phrase("{weekday}, {day} {month} {year}, {time}")
    /// The start and the end on one day.
    package static let dayAndTimes = Phrase("{weekday}, {day} {month} {year}, {time} – {end}")
    /// The days of the week. Sunday is the first.
    package static let weekdays = [
        Phrase("Sun"), Phrase("Mon"), Phrase("Tue"), Phrase("Wed"), Phrase("Thu"),
        Phrase("Fri"),
        Phrase("Sat"),
    ]
    package static let months = [
        Phrase("January"), Phrase("February"), Phrase("March"), Phrase("April"),
        Phrase("May"),
        Phrase("June"), Phrase("July"), Phrase("August"), Phrase("September"),
        Phrase("October"),
        Phrase("November"), Phrase("December"),
    ]
    // Durations, in the two largest units that they have.
    package static let daysHours = Phrase("{days} {days|day|days} {hours} {hours|hour|hours}")
    package static let days = Phrase("{days} {days|day|days}")
    package static let hoursMinutes = Phrase("{hours} {hours|hour|hours} {minutes} {minutes|minute|minutes}")
    package static let hours = Phrase("{hours} {hours|hour|hours}")
    package static let minutes = Phrase("{minutes} {minutes|minute|minutes}")
    package static let seconds = Phrase("{seconds} {seconds|second|seconds}")
}
