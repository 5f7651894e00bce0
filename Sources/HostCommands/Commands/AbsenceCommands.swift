internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// The command for absences over a meeting's sessions, and the options of a meeting's rule.
package enum AbsenceCommands {
    private typealias Texts = CommandPhrases.Absences
    private typealias Messages = CommandPhrases.Messages
    private typealias Roster = CommandPhrases.Roster

    package static let all = [
        CommandDeclaration(
            "meeting absences", Texts.list,
            examples: [
                .init("meeting absences \"Study group\"", Texts.list),
                .init("meeting absences @ --met", Texts.onlyMet),
            ],
            positionals: [.init("MEETING", CommandPhrases.Help.meeting, required: false)],
            options: [.flag("met", Texts.onlyMet), .limit, .json(of: Page<AbsencesBody>.self)],
            notes: Texts.notes, usesPager: true, run: list)
    ]

    private static func list(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let (host, id) = try await RosterCommands.target(call)
        let met = call.arguments.has("met")
        let meeting = try await calling { () async throws(APIError) in try await host.meeting(id) }.body
        if met, meeting.absenceRule == nil {
            let named = Following.quoted(call.arguments.positional("MEETING") ?? "@")
            throw .said(
                .usage, Texts.noRule, [:], next: "qring meeting edit \(named) --absent-in-a-row 3")
        }
        let limited = host.limited(to: try call.limit())
        let people = try await calling { () async throws(APIError) in
            try await limited.absences(of: id, met: met)
        }
        if call.wantsJSON {
            call.json(Page(items: people, nextCursor: nil))
            return .success
        }
        if let rule = meeting.absenceRule { call.note(Texts.said, ["rule": text(of: rule, call)]) }
        guard !people.isEmpty else {
            call.noteNothing(isSearch: met)
            return .success
        }
        let heads = [
            Messages.headName, Texts.headInARow, Roster.headAbsent, Roster.headExcused, Roster.headPresent,
            Roster.headLate, Texts.headExpected, Texts.headLast, Texts.headRule,
        ]
        var table = Table(heads.map { call.text($0) })
        let zone = Zone.named(meeting.timeZone)
        for person in people {
            table.add(
                [
                    person.name, String(person.inARow), String(person.absent), String(person.excused),
                    String(person.present), String(person.late), String(person.expected),
                    person.lastCameAt.map { WallTime($0, in: zone).date.text } ?? call.text(Texts.never),
                    person.meetsRule ? call.text(Texts.met) : "",
                ], person.meetsRule ? [8: .bad] : [:])
        }
        call.out(table)
        return .success
    }

    /// Returns the rule in words: "3 absences in a row, or 5 in all; since 2026-09-01; owners and hosts get
    /// mails".
    static func text(of rule: AbsenceRuleBody, _ call: Invocation) -> String {
        let (row, all) = (rule.inARow.map { String($0) } ?? "", rule.inAll.map { String($0) } ?? "")
        let numbers =
            switch (rule.inARow, rule.inAll) {
            case (_?, _?): Texts.ruleOfBoth
            case (_?, nil): Texts.ruleOfRow
            default: Texts.ruleOfAll
            }
        var parts = [call.text(numbers, ["row": row, "all": all])]
        if let since = rule.since { parts.append(call.text(Texts.ruleSince, ["date": since])) }
        parts.append(call.text(rule.mail ? Texts.ruleMails : Texts.ruleWithoutMails))
        return parts.joined(separator: "; ")
    }

    /// Returns the edit that the options make; nil if they make none. If `none` removes the last number, the
    /// server removes the rule.
    /// - Throws: `.usage` for a number outside its range, or a malformed date.
    static func edit(_ call: Invocation) throws(CommandFailure) -> Replacement<AbsenceRuleEdit>? {
        var edit = AbsenceRuleEdit()
        edit.inARow = try number("absent-in-a-row", AbsenceRule.rows, call)
        edit.inAll = try number("absent-in-all", AbsenceRule.totals, call)
        if let written = call.arguments.value("absent-since") {
            if written == none {
                edit.since = .removed
            } else {
                guard let date = CivilDate(written) else {
                    throw .said(.usage, Texts.notADate, ["value": TerminalEscaping.safe(written)], next: nil)
                }
                edit.since = .value(date.text)
            }
        }
        edit.mail = call.arguments.value("absence-mail").map { $0 == "on" }
        return edit == AbsenceRuleEdit() ? nil : .value(edit)
    }

    /// The value that removes a number or the day.
    private static let none = "none"

    private static func number(_ option: String, _ range: ClosedRange<Int>, _ call: Invocation)
        throws(CommandFailure) -> Replacement<Int>?
    {
        if call.arguments.value(option) == none { return .removed }
        return try call.integer(option, range).map { .value($0) }
    }
}

extension CommandPhrases {
    /// The texts of `qring meeting absences`, and of the options of a rule.
    enum Absences {
        static let list = Phrase("list the absences of the people on the roster")
        static let onlyMet = Phrase("only the people who meet the meeting's rule")
        static let notes = Phrase(
            "Only sessions that are over count. An excused session is no absence, and does not end a row. "
                + "Set the rule by qring meeting edit --absent-in-a-row and --absent-in-all.")
        static let noRule = Phrase("the meeting has no absence rule. Set one first")
        static let said = Phrase("Rule: {rule}")
        static let headInARow = Phrase("IN A ROW")
        static let headExpected = Phrase("EXPECTED")
        static let headLast = Phrase("LAST CAME")
        static let headRule = Phrase("RULE")
        static let never = Phrase("never", context: "last came")
        static let met = Phrase("met", context: "absence rule")
        static let rule = Phrase("absence rule")
        static let ruleOfBoth = Phrase("{row} {row|absence|absences} in a row, or {all} in all")
        static let ruleOfRow = Phrase("{row} {row|absence|absences} in a row")
        static let ruleOfAll = Phrase("{all} {all|absence|absences} in all")
        static let ruleSince = Phrase("since {date}")
        static let ruleMails = Phrase("owners and hosts get mails")
        static let ruleWithoutMails = Phrase("no mails")
        static let inARow = Phrase(
            "hosts want to know about people with N absences in a row, 1 to 50; none removes the number")
        static let inAll = Phrase(
            "hosts want to know about people with N absences in all, 1 to 500; none removes the number")
        static let since = Phrase("the first day of the sessions that count, 2026-09-01; none counts all")
        static let mail = Phrase(
            "mail the owners and hosts when somebody newly meets the rule (default on, once there is a rule)")
        static let notADate = Phrase("--absent-since must be a day such as 2026-09-01, or none: {value}")
    }
}
