/// The texts that the scripts of the pages need, by the name with which they ask: `t("next")`. The server
/// writes them into the page, in its language; `Phrase.Host` has those of the host's page.
package enum PageWords {
    /// For the fields of any form.
    package static let form: [String: Phrase] = [
        "enterName": .Page.enterName, "enterEmail": .Page.enterEmail, "enterNumber": .Page.enterNumber,
        "enterAnswer": .Page.enterAnswer, "chooseAnswer": .Page.chooseAnswer,
        "choseTooFew": .Page.choseTooFew, "choseTooMany": .Page.choseTooMany,
        "emailWrong": .Page.emailWrong, "tooLong": .Page.tooLong, "counter": .Page.counter,
        "stillNeeded": .Page.buttonWaits, "remember": .Page.remember,
    ]

    /// For the results of questions.
    package static let results: [String: Phrase] = [
        "results": .Page.results, "answersCount": .Page.answersCount, "average": .Page.average,
        "median": .Page.median, "tooFew": .Page.tooFew, "range": .Page.range, "pending": .Page.pending,
        "feedback": .Page.feedback, "poll": .Page.poll,
    ]

    /// For an attendee's own page.
    package static let own: [String: Phrase] = joined([
        form, results,
        [
            "oneByOne": .Page.oneByOne, "allAtOnce": .Page.allAtOnce, "progress": .Page.progress,
            "next": .Page.next, "back": .Page.back, "draftKept": .Page.draftKept, "opened": .Page.opened,
            "isShared": .Page.resultsAreShared, "notShared": .Page.resultsNotShared,
            "becameNamed": .Page.becameNamed, "becameAnonymous": .Page.becameAnonymous,
        ],
    ])

    /// For the projector.
    package static let projector: [String: Phrase] = joined([
        results,
        [
            "noResults": .Page.noResults, "noNames": .Page.noNames, "names": .Page.arrivedNow,
            "of": .Page.questionOf, "noQuestions": .Page.noQuestions, "shareHere": .Page.shareHere,
            "answersSoFar": .Page.answersSoFar, "ofPlanned": .Page.ofPlanned, "live": .Page.live,
            "reconnecting": .Page.reconnecting, "linkOver": .Page.linkOver, "linkNeeded": .Page.linkNeeded,
        ],
    ])

    /// Traps if two catalogues have the same name.
    private static func joined(_ catalogues: [[String: Phrase]]) -> [String: Phrase] {
        Dictionary(uniqueKeysWithValues: catalogues.joined().map { ($0.key, $0.value) })
    }
}
