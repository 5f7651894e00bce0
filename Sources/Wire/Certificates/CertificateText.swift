package import Meetings
package import Phrases

extension CertificateStatement.Attendance {
    /// Returns the attendance as text, such as `9 of 10 sessions, 2026-03-02 – 2026-05-04`.
    package func text(in language: Language) -> String {
        switch self {
        case .session(let startsAt, let minutes):
            CertificateText.session(startsAt, minutes: minutes, in: language)
        case .series(let from, let until, let attended, let held):
            CertificateText.series(
                from: from.text, until: until.text, attended: attended, held: held, in: language)
        }
    }
}

extension CertificateStatementBody {
    /// Returns the attendance as text, as `CertificateStatement.Attendance` does.
    package func attendance(in language: Language) -> String {
        if let series {
            return CertificateText.series(
                from: series.from, until: series.until, attended: series.attended, held: series.held,
                in: language)
        }
        guard let session, let date = CivilDate(String(session.startsAt.prefix(10))),
            let hour = Int(session.startsAt.dropFirst(11).prefix(2)),
            let minute = Int(session.startsAt.suffix(2)),
            let start = WallTime(date: date, hour: hour, minute: minute)
        else { return session?.startsAt ?? "" }
        return CertificateText.session(start, minutes: session.minutes, in: language)
    }
}

private enum CertificateText {
    private typealias Texts = Phrase.Certificate

    static func session(_ start: WallTime, minutes: Int, in language: Language) -> String {
        let end = WallTime(minutesSince1970: start.minutesSince1970 + Int64(minutes))
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        let length = hours == 0 ? Texts.minutes : rest == 0 ? Texts.hours : Texts.hoursAndMinutes
        return Texts.ofSession.text(
            in: language,
            [
                "start": start.text, "end": end.date == start.date ? String(end.text.suffix(5)) : end.text,
                "length": length.text(in: language, ["hours": "\(hours)", "minutes": "\(rest)"]),
            ])
    }

    static func series(from: String, until: String, attended: Int, held: Int, in language: Language)
        -> String
    {
        Texts.ofSeries.text(
            in: language,
            ["attended": "\(attended)", "held": "\(held)", "from": from, "until": until])
    }
}
