import Journal
import Meetings
import Testing

private let cup = Question(
    id: id(61), name: "cup", title: "Which cup?", required: true,
    kind: .multipleChoice(
        choices: [
            .init(id: "L", label: "Large"), .init(id: "S", label: "Small"),
            .init(id: "x", label: "Other", isOther: true),
        ],
        minSelections: 1, maxSelections: 1))
private let years = Question(
    id: id(62), name: "years", title: "Years?", kind: .number(min: nil, max: nil, decimals: 0),
    eligibility: [Rule(.minMax(min: 1, max: nil))])

extension Stage {
    fileprivate func publish(_ set: String, as name: String, of session: SessionID, by host: AccountID)
        async throws -> QuestionSet
    {
        try await storage.perform(
            EditQuestionSet(session: session, set: set, .init(publishedAs: name), actor: host))
    }

    fileprivate func answer(_ form: String, _ values: [String: PublishedForm.Value]) async throws
        -> RespondToForm.Outcome
    {
        try await storage.perform(RespondToForm(form: form, values: values))
    }
}

extension CommandRule {
    static let publishedForms: [CommandRule] = [
        CommandRule(
            "a published form accepts anybody's answers, with only their hour, and counts them all"
        ) { stage in
            let (host, session) = try await stage.running(sets: [QuestionSet(questions: [cup, years])])
            #expect(
                try await stage.publish("feedback", as: "common", of: session, by: host).publishedAs
                    == "common")
            for values: [String: PublishedForm.Value] in [
                ["cup": .texts(["L"])], ["cup": .text("S"), "years": .number(3)], ["cup": .texts(["A bowl"])],
                ["cup": .text("x")],
            ] { #expect(try await stage.answer("common", values).ending == nil) }
            let set = try #require(try await stage.set(of: session))
            #expect((set.responses, set.withoutReceipt, set.publishedResponses) == (4, 4, 3))
            let person = try await stage.arrive(1, in: session)
            try await stage.respond(person, [cup.id: .choices(["L"])])
            try await stage.respond(try await stage.arrive(2, in: session), [cup.id: .choices(["S"])])
            let tally = try #require(try await stage.tallies(of: session)[cup.id])
            #expect(tally.published.counts == [2, 2, 2])
            let responses = try await stage.published(of: session)
            #expect(
                responses.count == 6
                    && responses.allSatisfy { $0.attendeeID == nil && $0.at == $0.at.startOfHour })
            #expect(Set(responses.compactMap { $0.answers[cup.id]?.shownText }) == ["A bowl"])
            #expect(
                try await stage.events(of: session).count { $0.kind == .responded && $0.attendeeID == nil }
                    == 6)
            try await stage.expectWhole(session)
        },
        CommandRule(
            "a named set stores no name without a receipt, and its branches lead only to published forms"
        ) { stage in
            var asked = cup
            asked.branches = [
                Branch(.sameAs(.text("L")), next: "large"), Branch(.sameAs(.text("S")), next: "small"),
            ]
            let (host, session) = try await stage.running(sets: [
                QuestionSet(next: "large", questions: [asked], anonymous: false),
                QuestionSet(name: "large", questions: [years]),
                QuestionSet(name: "small", questions: [age]),
            ])
            _ = try await stage.publish("feedback", as: "common", of: session, by: host)
            _ = try await stage.publish("large", as: "1", of: session, by: host)
            #expect(try await stage.answer("common", ["cup": .text("L")]).next == "1")
            // The set that would follow is not published, so the form ends.
            #expect(try await stage.answer("common", ["cup": .text("S")]).next == nil)
            let person = try await stage.arrive(1, in: session)
            try await stage.respond(person, [asked.id: .choices(["L"])])
            #expect(Set(try await stage.published(of: session).map(\.attendeeID)) == [nil, person.id])
            #expect(try await stage.answer("1", ["years": .number(2)]).next == nil)
            try await stage.expectWhole(session)
        },
        CommandRule("a published form names wrong answers by its own field names, and stores nothing") {
            stage in
            let (host, session) = try await stage.running(sets: [QuestionSet(questions: [cup, years])])
            await expectRefused(.notFound(.form)) { try await stage.answer("common", ["cup": .text("L")]) }
            _ = try await stage.publish("feedback", as: "common", of: session, by: host)
            for (values, field, reason): ([String: PublishedForm.Value], String, FieldReason) in [
                ([:], "/answers/cup", .missing), (["cup": .text(" ")], "/answers/cup", .missing),
                (["cup": .number(1)], "/answers/cup", .wrongType(expected: "array")),
                (["cup": .texts(["L", "S"])], "/answers/cup", .count(min: 1, max: 1)),
                (["cup": .text("L"), "years": .text("3")], "/answers/years", .wrongType(expected: "number")),
                (["cup": .text("L"), "who": .text("me")], "/answers/who", .unknownQuestion),
                (["cup": .texts(["a", "b"])], "/answers/cup", .unknownChoice),
            ] {
                await expectRefused(.invalid([FieldError(field, reason)])) {
                    try await stage.answer("common", values)
                }
            }
            // An ineligible submission is not an error, and nothing is stored.
            #expect(
                try await stage.answer("common", ["cup": .text("L"), "years": .number(0)]).ending
                    == years.eligibility[0])
            #expect(try await stage.set(of: session)?.responses == 0)
            try await stage.open("feedback", false, of: session, by: host)
            await expectRefused(.feedbackClosed) { try await stage.answer("common", ["cup": .text("L")]) }
            stage.now = at(-30)
            try await stage.open("feedback", true, of: session, by: host)
            #expect(try await stage.answer("common", ["cup": .text("L")]).ending == nil)
        },
        CommandRule(
            "a form accepts a limited number of responses without receipts, but attendees may still answer"
        ) { stage in
            let (host, session) = try await stage.running(sets: [QuestionSet(questions: [cup])])
            _ = try await stage.publish("feedback", as: "f", of: session, by: host)
            try await stage.storage.perform(
                Fill(session: session, withoutReceipt: PublishedForm.mostResponses - 1))
            #expect(try await stage.answer("f", ["cup": .text("L")]).ending == nil)
            await expectRefused(.limitReached(.response, limit: PublishedForm.mostResponses)) {
                try await stage.answer("f", ["cup": .text("L")])
            }
            try await stage.respond(try await stage.arrive(1, in: session), [cup.id: .choices(["L"])])
        },
        CommandRule("a form can take one response from each device, and other devices may still answer") {
            stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(questions: [cup, years]), QuestionSet(name: "more", questions: [age]),
            ])
            _ = try await stage.publish("feedback", as: "f", of: session, by: host)
            func answer(_ device: UInt8?, _ cup: String = "L", years: Double = 2) async throws
                -> RespondToForm.Outcome
            {
                try await stage.storage.perform(
                    RespondToForm(
                        form: "f", values: ["cup": .text(cup), "years": .number(years)],
                        device: device.map { Array(repeating: $0, count: 10) }))
            }
            // Until the host requires it, nothing is stored about devices.
            for _ in 0..<2 { _ = try await answer(1) }
            let edited = try await stage.storage.perform(
                EditQuestionSet(
                    session: session, set: "feedback", .init(oncePerDevice: true), actor: host))
            #expect(edited.oncePerDevice)
            // Neither wrong answers nor a person for whom the form is not meant use up the device.
            await expectRefused(.invalid([FieldError("/answers/cup", .count(min: 1, max: 1))])) {
                try await stage.storage.perform(
                    RespondToForm(
                        form: "f", values: ["cup": .texts(["L", "S"])],
                        device: Array(repeating: 1, count: 10)))
            }
            #expect(try await answer(1, years: 0).ending != nil)
            #expect(try await answer(1).ending == nil)
            await expectRefused(.alreadyResponded) { try await answer(1, "S") }
            await expectRefused(.deviceNotRecognized) { try await answer(nil) }
            #expect(try await answer(2).ending == nil)
            #expect(try await stage.set(of: session)?.responses == 4)
            // An attendee answers with a receipt, on any device.
            try await stage.respond(try await stage.arrive(1, in: session), [cup.id: .choices(["S"])])
            _ = try await stage.storage.perform(
                EditQuestionSet(
                    session: session, set: "feedback", .init(oncePerDevice: false), actor: host))
            #expect(try await answer(1).ending == nil)
            try await stage.expectWhole(session)
        },
        CommandRule("a set accepts as many responses as its sums can hold, with or without receipts") {
            stage in
            let (host, session) = try await stage.running(sets: [QuestionSet(questions: [cup])])
            _ = try await stage.publish("feedback", as: "f", of: session, by: host)
            try await stage.storage.perform(
                Fill(session: session, withoutReceipt: 0, responses: QuestionSet.mostResponses - 1))
            let people = [try await stage.arrive(1, in: session), try await stage.arrive(2, in: session)]
            try await stage.respond(people[0], [cup.id: .choices(["L"])])
            let full = Refusal.limitReached(.response, limit: QuestionSet.mostResponses)
            await expectRefused(full) { try await stage.respond(people[1], [cup.id: .choices(["L"])]) }
            await expectRefused(full) { try await stage.answer("f", ["cup": .text("L")]) }
            #expect(try await stage.set(of: session)?.responses == QuestionSet.mostResponses)
        },
        CommandRule("a form's name is unique on the server, and only hosts can set or clear it") {
            stage in
            let (host, session) = try await stage.running(sets: [
                QuestionSet(questions: [cup]), QuestionSet(name: "poll", questions: [years]),
                QuestionSet(name: "check-in", questions: [age]),
            ])
            let stranger = try await stage.account(2).id
            await expectRefused(.notAllowed) {
                try await stage.publish("feedback", as: "f", of: session, by: stranger)
            }
            _ = try await stage.publish("feedback", as: "f", of: session, by: host)
            // Publishing again under the same name is not a conflict.
            #expect(
                try await stage.publish("feedback", as: "f", of: session, by: host).version
                    == stage.set(of: session)?.version)
            await expectRefused(.invalid([FieldError("/publishedAs", .formNameTaken)])) {
                try await stage.publish("poll", as: "f", of: session, by: host)
            }
            await expectRefused(.invalid([FieldError("/publishedAs", .checkInIsAlwaysNamed)])) {
                try await stage.publish("check-in", as: "c", of: session, by: host)
            }
            #expect(try await stage.publish("feedback", as: "", of: session, by: host).publishedAs == nil)
            await expectRefused(.notFound(.form)) { try await stage.answer("f", ["cup": .text("L")]) }
            #expect(try await stage.publish("poll", as: "f", of: session, by: host).publishedAs == "f")
        },
        CommandRule(
            "an import succeeds completely or not at all, and keeps only the same set's question ids"
        ) { stage in
            let (host, session) = try await stage.running(sets: [QuestionSet(questions: [cup, years])])
            func take(_ questions: [Question], to set: String) async throws -> QuestionSet {
                try await stage.storage.perform(
                    ImportQuestions(
                        session: session, set: set, imported: ImportedQuestions(questions: questions),
                        actor: host))
            }
            // The set `feedback` uses the ids already. In another set, the same questions get new ids.
            let copy = try await take([cup, years], to: "copy")
            #expect(
                copy.questions.map(\.name) == ["cup", "years"]
                    && Set(copy.questions.map(\.id)).isDisjoint(with: [cup.id, years.id]))
            let again = try await take(
                [cup, years].map { $0.renamed(by: [cup.id: .makeTimeless(), years.id: .makeTimeless()]) },
                to: "feedback")
            #expect(again.questions.map(\.id) == [cup.id, years.id])
            var bad = years
            bad.rules = [Rule(.pattern("("))]
            let before = try await stage.set(of: session)
            guard
                case .refused(.invalid(let errors)) = await refusal({
                    try await take([cup, bad], to: "feedback")
                })
            else {
                Issue.record("taken")
                return
            }
            #expect(errors.map(\.field) == ["/questions/1/rules/0/target"])
            #expect(try await stage.set(of: session) == before)
            try await stage.respond(try await stage.arrive(1, in: session), [cup.id: .choices(["L"])])
            await expectRefused(.questionsLocked) { try await take([years], to: "feedback") }
            #expect(try await take([cup, years], to: "feedback").responses == 1)
        },
    ]
}

private func refusal(_ act: () async throws -> some Any) async -> JournalError? {
    do {
        _ = try await act()
        return nil
    } catch { return error as? JournalError }
}

/// A command that sets the counters as if so many people had responded without receipts.
private struct Fill: Command {
    let session: SessionID
    let withoutReceipt: Int
    var responses: Int?

    func run(in transaction: Transaction) throws(JournalError) {
        guard var set = try transaction.rows.questionSet(QuestionSet.feedback, of: session) else { return }
        set.withoutReceipt = withoutReceipt
        set.responses = responses ?? set.responses
        set.publishedResponses = responses ?? set.publishedResponses
        try transaction.saveSettings(of: set, in: session)
    }
}
