import Journal
import Meetings
import Testing

private let feedback = QuestionSet.feedback

extension RowsRule {
    static let questions: [RowsRule] = [
        RowsRule("a question set is stored completely and in order, and feedback is listed first") { rows in
            try rows.plan()
            let set = QuestionSet(
                questions: JournalContract.questions, openByHand: false, shared: true, anonymous: false,
                responses: 4,
                publishedResponses: 3, restIsShown: true,
                version: 2)
            let shown = QuestionSet(name: "shown", anonymityIsFixed: true)
            try rows.batch {
                try rows.save(QuestionSet(name: "poll-b"), of: id(1))
                try rows.save(QuestionSet(name: "a-poll", openByHand: true), of: id(1))
                try rows.save(set, of: id(1))
                try rows.save(shown, of: id(1))
            }
            #expect(try rows.questionSet(feedback, of: id(1)) == set)
            #expect(try rows.questionSet("shown", of: id(1)) == shown)
            #expect(try rows.questionSet("none", of: id(1)) == nil)
            #expect(try rows.questionSets(of: id(1)).map(\.name) == [feedback, "a-poll", "poll-b", "shown"])
            #expect(try rows.questionSets(of: id(1)).first == set)
            #expect(try rows.location(of: id(2))?.session == id(1))
            #expect(try rows.location(of: id(2))?.set == feedback)
            #expect(try rows.location(of: id(9)) == nil)
        },
        RowsRule(
            "saving a set again replaces its questions, but keeps responses and remaining tallies"
        ) { rows in
            try rows.plan()
            let all = JournalContract.questions
            var one = TallyCount(for: all[0])
            one.add(.rating(4), to: all[0])
            let tally = TallyRecord(published: TallyCount(for: all[0]), pending: one)
            try rows.batch {
                try rows.save(QuestionSet(questions: all), of: id(1))
                try rows.insert(aResponse(1), published: true)
                try rows.save(tally, of: id(1))
                try rows.save(
                    TallyRecord(published: TallyCount(for: all[1]), pending: TallyCount(for: all[1])),
                    of: id(2))
            }
            #expect(try rows.tallies(of: id(1), set: feedback).count == 2)
            #expect(try rows.tallies(of: id(1), set: "other").isEmpty)
            var first = all[0]
            first.title = "How was it, really?"
            try rows.batch { try rows.save(QuestionSet(questions: [all[2], first]), of: id(1)) }
            #expect(try rows.questionSet(feedback, of: id(1))?.questions == [all[2], first])
            #expect(try rows.location(of: id(2)) == nil)
            #expect(try rows.tallies(of: id(1), set: feedback) == [id(1): tally])
            #expect(try rows.responses(of: id(1), set: feedback, after: nil, limit: 9).count == 1)
            var more = TallyRecord(
                published: tally.published, pending: one, waiting: [aResponse(1).id, aResponse(2).id])
            more.published.add(one)
            try rows.batch { try rows.save(more, of: id(1)) }
            #expect(try rows.tallies(of: id(1), set: feedback) == [id(1): more])
        },
        RowsRule("saving a set's settings changes nothing else") { rows in
            try rows.plan()
            try rows.batch {
                try rows.save(QuestionSet(questions: JournalContract.questions), of: id(1))
                try rows.saveSettings(
                    of: QuestionSet(openByHand: true, shared: true, responses: 9, version: 5), in: id(1))
                try rows.saveSettings(of: QuestionSet(name: "none"), in: id(1))
            }
            let expected = QuestionSet(
                questions: JournalContract.questions, openByHand: true, shared: true, responses: 9, version: 5
            )
            #expect(try rows.questionSets(of: id(1)) == [expected])
        },
        RowsRule("questions are counted and measured by set, and the first shown one is found") { rows in
            try rows.plan()
            var hidden = Question(id: id(41), title: "Hidden", kind: .yesNo)
            hidden.isHidden = true
            let long = LocalizedText(["en": String(repeating: "a", count: 5_000), "ko": "질문"])
            let shown = Question(id: id(42), title: long, kind: .yesNo)
            try rows.batch {
                try rows.save(QuestionSet(questions: [hidden, shown]), of: id(1))
                try rows.save(QuestionSet(name: "empty", title: "Title"), of: id(1))
                let alone = Question(id: id(43), title: "Alone", kind: .yesNo)
                try rows.save(QuestionSet(name: "poll", questions: [alone]), of: id(1))
            }
            #expect(try rows.questionCounts(of: id(1)) == [feedback: 2, "poll": 1])
            #expect(try rows.questionCounts(of: id(2)) == [:])
            #expect(try rows.firstQuestion(of: feedback, in: id(1)) == shown)
            #expect(try rows.firstQuestion(of: "poll", in: id(1))?.title == "Alone")
            #expect(try rows.firstQuestion(of: "empty", in: id(1)) == nil)
            let (all, one) = (
                try rows.questionsSize(of: id(1), set: nil), try rows.questionsSize(of: id(1), set: feedback)
            )
            #expect(all.questions == 3 && one.questions == 2)
            // The JSON has the text of the first language twice: with and without the name of the language.
            #expect((10_000..<11_500).contains(one.bytes) && (one.bytes + 20..<12_500).contains(all.bytes))
            #expect((3...12).contains(one.texts) && one.texts < all.texts)
            let values = try rows.questionsSize(of: [hidden, shown])
            #expect(values.questions == 2 && abs(values.bytes - one.bytes) < 100)
            #expect(abs(values.texts - one.texts) <= 2)
            #expect(try rows.questionsSize(of: id(2), set: nil) == QuestionsSize())
        },
        RowsRule("saving a set fails if a question belongs to another set") { rows in
            try rows.plan()
            try rows.begin()
            try rows.insert(aSession(2))
            try rows.save(QuestionSet(questions: JournalContract.questions), of: id(1))
            try expectFailure(rows) {
                try rows.save(QuestionSet(questions: [JournalContract.questions[0]]), of: id(2))
            }
            try expectFailure(rows) {
                try rows.save(QuestionSet(name: "poll", questions: [JournalContract.questions[0]]), of: id(1))
            }
            try rows.commit()
            #expect(try rows.location(of: id(1))?.session == id(1))
            #expect(try rows.questionSets(of: id(1)).count == 1)
            #expect(try rows.questionSets(of: id(2)).isEmpty)
        },
    ]

    static let responses: [RowsRule] = [
        RowsRule("a response keeps its row while its answers and its link change") { rows in
            try rows.plan()
            let changed = aResponse(1, of: 1).showing([id(1): .rating(1)])
            try rows.batch {
                try rows.save(
                    QuestionSet(name: "poll", promise: .hidden, changeable: true, position: 3), of: id(1))
                try rows.insert(anAttendee(1), key: nil, grant: nil)
                try rows.insert(aResponse(1, set: "poll", of: 1), published: true)
                try rows.replaceAnswers(of: aResponse(1, set: "poll", of: 1).showing(changed.answers))
            }
            let poll = try rows.questionSet("poll", of: id(1))
            #expect(poll?.promise == .hidden && poll?.changeable == true && poll?.position == 3)
            let stored = try #require(try rows.response(of: id(1), set: "poll"))
            #expect(stored.answers == changed.answers && stored.id == changed.id && stored.at == changed.at)
            #expect(try rows.changes(of: stored) == 1)
            try rows.batch { try rows.unlink(stored) }
            #expect(try rows.response(of: id(1), set: "poll") == nil)
            try rows.batch { try rows.link(stored, to: id(1)) }
            #expect(try rows.response(of: id(1), set: "poll") == stored)
        },
        RowsRule("words are counted by differences and listed by their counts") { rows in
            try rows.plan()
            let cloud = Question(id: id(8), title: "Words?", kind: .wordCloud(most: 3))
            try rows.batch {
                try rows.save(QuestionSet(name: "poll", questions: [cloud]), of: id(1))
                try rows.count(["b": 2, "가": 1, "a": 2, "c": 1], of: cloud.id)
                try rows.count(["b": 1, "c": -1, "a": 1], of: cloud.id)
                try expectFailure(rows) { try rows.count(["a": 1], of: id(99)) }
            }
            #expect(
                try rows.words(of: cloud.id, limit: 9)
                    == [("a", 3), ("b", 3), ("가", 1)].map {
                        ModeratedWord(word: $0, count: $1, decided: nil)
                    })
            #expect(try rows.words(of: cloud.id, limit: 1).map(\.word) == ["a"])
            try rows.batch {
                try rows.setWordStatus(.hidden, of: "b", to: cloud.id)
                try rows.setWordStatus(.pending, of: "new", to: cloud.id)
                try rows.setWordStatus(.visible, of: "b", to: cloud.id)
            }
            #expect(try rows.words(of: cloud.id, limit: 9).map(\.decided) == [nil, .visible, nil])
            #expect(try rows.wordStatus(of: "new", to: cloud.id) == .pending)
            #expect(try rows.wordStatuses(of: cloud.id) == ["b": .visible, "new": .pending])
            #expect(try rows.wordCount(of: "a", to: cloud.id) == 3)
            #expect(try rows.wordCount(of: "new", to: cloud.id) == 0)
            let deleted = try rows.batch { try rows.deleteAnswers(to: "poll", of: id(1), limit: 9) }
            #expect(deleted == 5)
            #expect(try rows.wordStatuses(of: cloud.id).isEmpty)
            #expect(try rows.words(of: cloud.id, limit: 9).isEmpty)
        },
        RowsRule("a set is deleted after its answers, at most so many at a time") { rows in
            try rows.plan()
            try rows.batch {
                try rows.save(QuestionSet(name: "poll", questions: [JournalContract.questions[0]]), of: id(1))
                for number in 1...5 { try rows.insert(aResponse(number, set: "poll"), published: true) }
            }
            try rows.batch {
                #expect(try rows.deleteAnswers(to: "poll", of: id(1), limit: 3) == 3)
                #expect(try rows.deleteAnswers(to: "poll", of: id(1), limit: 3) == 2)
                try rows.deleteSet("poll", of: id(1))
            }
            #expect(try rows.questionSet("poll", of: id(1)) == nil)
            #expect(try rows.location(of: JournalContract.questions[0].id) == nil)
        },
        RowsRule("an attendee can answer a set only once") { rows in
            try rows.plan()
            try rows.begin()
            try rows.save(QuestionSet(anonymous: false), of: id(1))
            try rows.insert(anAttendee(1), key: nil, grant: nil)
            #expect(try rows.hasAnswered(id(1), set: feedback) == false)
            #expect(try rows.markAnswered(id(1), set: feedback))
            #expect(try rows.markAnswered(id(1), set: feedback) == false)
            #expect(try rows.markAnswered(id(1), set: "poll"))
            try expectFailure(rows) { _ = try rows.markAnswered(id(9), set: feedback) }
            try rows.insert(aResponse(1, of: 1), published: true)
            try expectFailure(rows) { try rows.insert(aResponse(2, of: 1), published: true) }
            try expectFailure(rows) { try rows.insert(aResponse(3, set: "none"), published: true) }
            try expectFailure(rows) { try rows.insert(aResponse(1), published: true) }
            try rows.commit()
            #expect(try rows.hasAnswered(id(1), set: feedback))
            #expect(try rows.response(of: id(1), set: feedback) == aResponse(1, of: 1))
            #expect(try rows.response(of: id(1), set: "poll") == nil)
            try rows.batch { try rows.deleteResponse(of: id(1), set: feedback) }
            #expect(try rows.response(of: id(1), set: feedback) == nil)
            #expect(try rows.hasAnswered(id(1), set: feedback) == false)
            #expect(try rows.hasAnswered(id(1), set: "poll"))
        },
        RowsRule("a device answers a set once, and its mark is deleted with the set's answers") { rows in
            try rows.plan()
            let (one, two) = ([UInt8](repeating: 1, count: 10), [UInt8](repeating: 2, count: 10))
            try rows.begin()
            try rows.save(QuestionSet(oncePerDevice: true), of: id(1))
            try rows.save(QuestionSet(name: "poll"), of: id(1))
            #expect(try rows.hasAnswered(device: one, set: feedback, of: id(1)) == false)
            #expect(try rows.markAnswered(device: one, set: feedback, of: id(1)))
            #expect(try rows.markAnswered(device: one, set: feedback, of: id(1)) == false)
            #expect(try rows.markAnswered(device: two, set: feedback, of: id(1)))
            #expect(try rows.markAnswered(device: one, set: "poll", of: id(1)))
            try expectFailure(rows) { _ = try rows.markAnswered(device: one, set: "none", of: id(1)) }
            try rows.commit()
            #expect(try rows.questionSet(feedback, of: id(1))?.oncePerDevice == true)
            #expect(try rows.questionSet("poll", of: id(1))?.oncePerDevice == false)
            try rows.begin()
            #expect(try rows.deleteAnswers(to: feedback, of: id(1), limit: 1) == 1)
            #expect(try rows.deleteAnswers(to: feedback, of: id(1), limit: 9) == 1)
            try rows.commit()
            for device in [one, two] {
                #expect(try rows.hasAnswered(device: device, set: feedback, of: id(1)) == false)
            }
            #expect(try rows.hasAnswered(device: one, set: "poll", of: id(1)))
        },
        RowsRule(
            "published responses are listed newest first, then by id, in pages without gaps or duplicates"
        ) { rows in
            try rows.plan()
            try rows.batch {
                try rows.save(QuestionSet(), of: id(1))
                try rows.save(QuestionSet(name: "poll"), of: id(1))
                for (number, minute) in [(1, 60), (2, 0), (3, 60), (4, 120), (5, 60)] {
                    try rows.insert(aResponse(number, minute: minute), published: true)
                }
                try rows.insert(aResponse(6, minute: 180), published: false)
                try rows.insert(aResponse(7, set: "poll"), published: false)
            }
            func listed(limit: Int = 9) throws -> [Int] {
                let paged: [Response] = try pages { last in
                    try rows.responses(
                        of: id(1), set: feedback, after: last.map { ResponseCursor(at: $0.at, id: $0.id) },
                        limit: limit)
                }
                return paged.map { Int($0.id.low) }
            }
            for limit in 1...6 {
                #expect(try listed(limit: limit) == [4, 5, 3, 1, 2], "in pages of \(limit)")
            }
            #expect(
                try rows.responses(of: id(1), set: feedback, after: nil, limit: 1) == [
                    aResponse(4, minute: 120)
                ])
            #expect(try rows.unpublishedResponses(of: id(1), set: feedback) == [aResponse(6, minute: 180)])
            #expect(try rows.unpublishedResponses(of: id(1), set: "poll").map(\.set) == ["poll"])
            try rows.batch { try rows.publishResponses(of: id(1), set: feedback, at: at(240)) }
            #expect(try rows.unpublishedResponses(of: id(1), set: feedback).isEmpty)
            #expect(try listed() == [6, 4, 5, 3, 1, 2])
            #expect(
                try rows.responses(of: id(1), set: feedback, after: nil, limit: 2).map(\.at) == [
                    at(240), at(120),
                ])
            #expect(try rows.responses(of: id(1), set: "poll", after: nil, limit: 9).isEmpty)
        },
        RowsRule(
            "a set is due for sealing if it is anonymous, closed, and has responses since the last shuffle"
        ) { rows in
            try rows.plan()
            func due(_ now: Instant) throws -> [String] { try rows.setsToSeal(at: now, limit: 9).map(\.set) }
            let closes = aSession(1).feedbackClosesAt
            let moment = Duration.milliseconds(1)
            try rows.batch {
                try rows.save(QuestionSet(responses: 1), of: id(1))
                try rows.save(QuestionSet(name: "empty"), of: id(1))
                try rows.save(QuestionSet(name: "named", anonymous: false, responses: 5), of: id(1))
                try rows.save(QuestionSet(name: "open", openByHand: true, responses: 5), of: id(1))
                try rows.save(
                    QuestionSet(name: "shut", openByHand: false, responses: 5, publishedResponses: 5),
                    of: id(1))
                try rows.save(
                    QuestionSet(name: "waiting", openByHand: false, responses: 5, publishedResponses: 3),
                    of: id(1))
            }
            #expect(try due(at(0)) == ["shut"])
            #expect(try due(closes) == ["shut"])
            #expect(try due(closes + moment) == [feedback, "shut", "waiting"])
            #expect(try due(at(0) - moment) == ["shut"])
            #expect(try rows.setsToSeal(at: closes + moment, limit: 1).count == 1)
            try rows.batch {
                try rows.markSealed(feedback, of: id(1), true)
                try rows.markSealed("shut", of: id(1), true)
                try rows.markSealed("waiting", of: id(1), true)
                try rows.saveSettings(of: QuestionSet(responses: 1, version: 2), in: id(1))
            }
            #expect(try due(closes + moment) == [])
            try rows.batch { try rows.insert(aResponse(1), published: false) }
            #expect(try due(closes + moment) == [feedback])
            try rows.batch { try rows.markSealed("shut", of: id(1), false) }
            #expect(try due(closes + moment) == [feedback, "shut"])
        },
        RowsRule("a set with a held-back answer is due for sealing when its window ends") { rows in
            try rows.plan()
            let asked = JournalContract.questions[0]
            func save(waiting: [ResponseID]) throws {
                let tally = TallyRecord(
                    published: TallyCount(for: asked), pending: TallyCount(for: asked), waiting: waiting)
                try rows.batch { try rows.save(tally, of: asked.id) }
            }
            try rows.batch {
                try rows.save(
                    QuestionSet(questions: [asked], openByHand: false, responses: 3, publishedResponses: 3),
                    of: id(1))
            }
            let closes = aSession(1).feedbackClosesAt
            try save(waiting: [aResponse(1).id])
            #expect(try rows.setsToSeal(at: closes, limit: 9).isEmpty)
            #expect(try rows.setsToSeal(at: closes + .milliseconds(1), limit: 9).count == 1)
            try save(waiting: [])
            #expect(try rows.setsToSeal(at: closes, limit: 9).count == 1)
        },
    ]
}
