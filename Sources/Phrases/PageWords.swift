/// The texts that the scripts of the pages need, by the name that the scripts use: `t("next")`. The server
/// writes these texts into the page, in the page's language. The texts of the host's page are in
/// `Phrase.Host`.
package enum PageWords {
    /// The texts for the fields of any form.
    package static let form: [String: Phrase] = [
        "enterName": .Page.enterName, "enterEmail": .Page.enterEmail, "enterNumber": .Page.enterNumber,
        "tickBox": .Page.tickBox,
        "enterAnswer": .Page.enterAnswer, "chooseAnswer": .Page.chooseAnswer,
        "choseTooFew": .Page.choseTooFew, "choseTooMany": .Page.choseTooMany,
        "emailWrong": .Page.emailWrong, "tooLong": .Page.tooLong, "counter": .Page.counter,
        "stillNeeded": .Page.buttonWaits, "otherLeft": .Page.otherLeft,
    ]

    /// The texts for a countdown.
    package static let clock: [String: Phrase] = [
        "daysHours": .Page.daysHours, "days": .Page.days, "hoursMinutes": .Page.hoursMinutes,
        "hours": .Page.hours, "minutes": .Page.minutes, "seconds": .Page.seconds,
        "opensIn": .Page.opensIn, "startsIn": .Page.startsIn,
    ]

    /// The texts for the results of questions.
    package static let results: [String: Phrase] = [
        "results": .Page.results, "answersCount": .Page.answersCount, "average": .Page.average,
        "rankedPoints": .Page.rankedPoints, "median": .Page.median, "tooFew": .Page.tooFew,
        "range": .Page.range, "pending": .Page.pending,
        "feedback": .Page.feedback, "poll": .Page.poll,
    ]

    /// The texts for an attendee's own page.
    package static let own: [String: Phrase] = joined([
        form, results, clock,
        [
            "showNow": .Page.showNow, "setClosed": .Page.setClosed, "textKept": .Page.textKept,
            "notAnswered": .Page.notAnswered, "yourAnswerIs": .Page.yourAnswerIs,
            "newQuestions": .Page.newQuestions, "votes": .Page.votes,
            "questionsOpen": .Page.questionsOpen, "secondsLeft": .Page.secondsLeft,
            "yourText": .Page.yourText, "copy": .Page.copy,
            "copied": .Page.copied, "selected": .Page.selected, "putAside": .Page.putAside,
            "yourAnswer": .Page.yourAnswer, "sessionGone": .Page.sessionGone,
            "oneByOne": .Page.oneByOne, "allAtOnce": .Page.allAtOnce, "progress": .Page.progress,
            "next": .Page.next, "back": .Page.back, "draftStored": .Page.draftStored, "opened": .Page.opened,
            "isShared": .Page.resultsAreShared, "notShared": .Page.resultsNotShared,
            "becameNamed": .Page.becameNamed, "becameAnonymous": .Page.becameAnonymous,
            "becameHidden": .Page.becameHidden,
        ],
    ])

    /// The texts for the projector.
    package static let projector: [String: Phrase] = joined([
        results,
        [
            "noResults": .Page.noResults, "noNames": .Page.noNames, "names": .Page.arrivedNow,
            "of": .Page.questionOf, "noQuestions": .Page.noQuestions, "shareHere": .Page.shareHere,
            "answerNow": .Page.answerNow, "answersSoFar": .Page.answersSoFar,
            "audienceShown": .Page.audienceShown, "audienceNone": .Page.audienceNone,
            "audienceOpen": .Page.audienceOpen, "audienceClosed": .Page.audienceClosed,
            "audienceVotes": .Page.votesBelow, "audiencePinned": .Page.questionPinned,
            "audienceAnswered": .Page.questionAnswered,
            "sendWords": .Page.sendWords,
            "peopleCheckedIn": .Page.peopleCheckedIn, "questionsAsked": .Page.questionsAsked,
            "responsesCount": .Page.responsesCount, "feedbackUntil": .Page.feedbackUntil,
            "untilStart": .Page.untilStart, "durationDays": .Page.durationDays,
            "durationHours": .Page.durationHours, "durationMinutes": .Page.durationMinutes,
            "ofPlanned": .Page.ofPlanned, "insideNow": .Page.insideNow, "live": .Page.live,
            "reconnecting": .Page.reconnecting, "linkOver": .Page.linkOver, "linkNeeded": .Page.linkNeeded,
        ],
    ])

    /// Joins catalogues into one. Traps if two catalogues have the same name.
    private static func joined(_ catalogues: [[String: Phrase]]) -> [String: Phrase] {
        Dictionary(uniqueKeysWithValues: catalogues.joined().map { ($0.key, $0.value) })
    }
}
