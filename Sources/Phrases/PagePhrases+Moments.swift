/// The texts for the parts of a date and time on the pages.
extension Phrase.Page {
    package static let dayAndTime = Phrase(
        "{weekday}, {day} {month} {year}, {time}", "{year}년 {month} {day}일 ({weekday}) {time}")
    /// The days of the week. Sunday is the first.
    package static let weekdays = [
        Phrase("Sun", "일"), Phrase("Mon", "월"), Phrase("Tue", "화"), Phrase("Wed", "수"), Phrase("Thu", "목"),
        Phrase("Fri", "금"),
        Phrase("Sat", "토"),
    ]
    package static let months = [
        Phrase("January", "1월"), Phrase("February", "2월"), Phrase("March", "3월"), Phrase("April", "4월"),
        Phrase("May", "5월"),
        Phrase("June", "6월"), Phrase("July", "7월"), Phrase("August", "8월"), Phrase("September", "9월"),
        Phrase("October", "10월"),
        Phrase("November", "11월"), Phrase("December", "12월"),
    ]
    // Durations, in the two largest units that they have.
    package static let daysHours = Phrase(
        "{days} {days|day|days} {hours} {hours|hour|hours}", "{days}일 {hours}시간")
    package static let days = Phrase("{days} {days|day|days}", "{days}일")
    package static let hoursMinutes = Phrase(
        "{hours} {hours|hour|hours} {minutes} {minutes|minute|minutes}", "{hours}시간 {minutes}분")
    package static let hours = Phrase("{hours} {hours|hour|hours}", "{hours}시간")
    package static let minutes = Phrase("{minutes} {minutes|minute|minutes}", "{minutes}분")
    package static let seconds = Phrase("{seconds} {seconds|second|seconds}", "{seconds}초")
}
