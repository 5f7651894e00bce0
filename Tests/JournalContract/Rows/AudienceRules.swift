import Journal
import Meetings
import Testing

extension RowsRule {
    /// The rows of questions from the audience. `PlanTests` also reads the plan of each statement here.
    static let audience: [RowsRule] = [
        RowsRule("questions from the audience come back as they were written") { rows in
            try rows.plan()
            let session: SessionID = id(1)
            #expect(try rows.audienceSettings(of: session) == nil)
            var settings = AudienceSettings(open: true, promise: .named, moderation: .before, asked: 7)
            try rows.batch { try rows.save(settings, of: session) }
            settings.version = 3
            let words = HeldWords(["a", "바보"], version: 2)
            try rows.batch {
                try rows.save(settings, of: session)
                try rows.save(words, of: id(1))
            }
            #expect(try rows.audienceSettings(of: session) == settings)
            #expect(try rows.heldWords(of: id(1)) == words)
            var question = asked(1, by: id(9))
            (question.pinned, question.answer, question.votes) = (true, "Because.", 4)
            try rows.batch { try rows.insert(question) }
            #expect(try rows.audienceQuestion(question.id) == question)
            (question.status, question.text, question.version, question.votes) = (.answered, "왜?", 2, 99)
            try rows.batch {
                try rows.update(question)
                try rows.addVotes(-1, to: question.id)
            }
            question.votes = 3
            #expect(try rows.audienceQuestion(question.id) == question)
            #expect(try rows.audienceQuestions(askedBy: id(9)) == [question])
            #expect(try rows.audienceCounts(of: session) == [.answered: 1])
        },
        RowsRule("a vote is unique, and votes of a merged question are copied and deleted") { rows in
            try rows.plan()
            var question = asked(1, by: id(9))
            let root = asked(2, by: nil)
            let voters: [AttendeeID] = [id(21), id(22), id(23)]
            try rows.batch {
                try rows.insert(question)
                try rows.insert(root)
                for voter in voters {
                    #expect(try rows.insert(AudienceVote(question: question.id), of: voter))
                }
                #expect(try !rows.insert(AudienceVote(question: question.id), of: voters[0]))
                #expect(try rows.insert(AudienceVote(question: root.id), of: voters[0]))
                #expect(try rows.copyVotes(from: question.id, to: root.id) == 2)
                question.mergedInto = root.id
                try rows.update(question)
            }
            for count in [1, 2, 0] {
                try rows.batch { try rows.setRemovedVotes(count, of: voters[0], in: id(1)) }
                #expect(try rows.removedVotes(of: voters[0], in: id(1)) == count)
            }
            #expect(try rows.hasVoted(voters[2], for: root.id))
            #expect(
                Set(try rows.audienceVotes(of: voters[1])) == [
                    AudienceVote(question: question.id),
                    AudienceVote(question: root.id, copiedFrom: question.id),
                ])
            let before = try rows.audienceVotes(of: voters[1])
            let moved = try rows.batch { try rows.moveVotes(of: voters[1], to: id(29)) }
            #expect(moved == 2)
            #expect(try rows.audienceVotes(of: voters[1]).isEmpty)
            #expect(try rows.audienceVotes(of: id(29)) == before)
            #expect(try rows.audienceQuestions(mergedInto: root.id) == [question])
            // One of the two voters of the merged question has voted for another one, which is merged too.
            var other = asked(3, by: nil)
            try rows.batch {
                try rows.insert(other)
                #expect(try rows.insert(AudienceVote(question: other.id), of: voters[2]))
                other.mergedInto = root.id
                try rows.update(other)
                try rows.replaceVotes(copiedFrom: question.id, to: root.id)
            }
            #expect(
                try rows.audienceVotes(of: voters[2]).contains(
                    AudienceVote(question: root.id, copiedFrom: other.id)))
            #expect(try rows.audienceVotes(of: id(29)) == before)
            #expect(try rows.audienceCounts(of: id(1)) == [.pending: 1])
            #expect(
                try rows.audienceQuestions(of: id(1), status: .pending, after: nil, limit: 5) == [root])
            try rows.batch {
                #expect(try rows.deleteVotes(copiedFrom: question.id, to: root.id) == 1)
                #expect(try rows.hasVoted(voters[2], for: root.id))
                #expect(try rows.deleteVote(of: voters[0], for: root.id))
                #expect(try !rows.deleteVote(of: voters[0], for: root.id))
                try rows.delete(id(1) as SessionID)
            }
            #expect(try rows.audienceQuestion(root.id) == nil)
            #expect(try rows.audienceVotes(of: voters[1]).isEmpty)
        },
        RowsRule("moderation and the statuses of texts come back, and go with their question") { rows in
            try rows.plan()
            let set = QuestionSet(questions: JournalContract.questions)
            try rows.batch { try rows.save(set, of: id(1)) }
            let question = JournalContract.questions[0].id
            #expect(try rows.textModeration(of: id(1), set: set.name) == TextModeration.none)
            for moderation in TextModeration.allCases {
                try rows.batch { try rows.save(moderation, of: id(1), set: set.name) }
                #expect(try rows.textModeration(of: id(1), set: set.name) == moderation)
            }
            for status in TextStatus.allCases {
                try rows.batch { try rows.setTextStatus(status, in: id(7), to: question) }
                #expect(try rows.textStatus(in: id(7), to: question) == status)
            }
            try rows.batch { try rows.setTextStatus(nil, in: id(7), to: question) }
            #expect(try rows.textStatus(in: id(7), to: question) == nil)
            try rows.batch {
                try rows.setTextStatus(.hidden, in: id(7), to: question)
                try rows.delete(id(1) as SessionID)
            }
            #expect(try rows.textStatus(in: id(7), to: question) == nil)
        },
    ]
}

private func asked(_ number: Int, by attendee: AttendeeID?) -> AudienceQuestion {
    AudienceQuestion(
        id: id(100 + number), sessionID: id(1), attendeeID: attendee, promise: .named, askedAt: at(number),
        text: "Question \(number)", status: .pending)
}
