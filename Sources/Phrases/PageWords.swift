/// The texts that the scripts of the pages need, by the name that the scripts use: `t("next")`. The server
/// writes these texts into the page, in the page's language. The texts of the host's page are in
/// `Phrase.Host`.
package enum PageWords {
    /// The texts for the fields of any form.
    package static let form: [String: Phrase] = [
        "enterName": .Page.enterName, "enterEmail": .Page.enterEmail, "enterNumber": .Page.enterNumber,
        "enterAnswer": .Page.enterAnswer, "chooseAnswer": .Page.chooseAnswer,
        "choseTooFew": .Page.choseTooFew, "choseTooMany": .Page.choseTooMany,
        "emailWrong": .Page.emailWrong, "tooLong": .Page.tooLong, "counter": .Page.counter,
        "stillNeeded": .Page.buttonWaits, "remember": .Page.remember,
    ]

    /// The texts for the results of questions.
    package static let results: [String: Phrase] = [
        "results": .Page.results, "answersCount": .Page.answersCount, "average": .Page.average,
        "median": .Page.median, "tooFew": .Page.tooFew, "range": .Page.range, "pending": .Page.pending,
        "feedback": .Page.feedback, "poll": .Page.poll,
    ]

    /// The texts for an attendee's own page.
    package static let own: [String: Phrase] = joined([
        form, results,
        [
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
            "answersSoFar": .Page.answersSoFar, "ofPlanned": .Page.ofPlanned, "live": .Page.live,
            "reconnecting": .Page.reconnecting, "linkOver": .Page.linkOver, "linkNeeded": .Page.linkNeeded,
        ],
    ])

    /// Joins catalogues into one. Traps if two catalogues have the same name.
    private static func joined(_ catalogues: [[String: Phrase]]) -> [String: Phrase] {
        Dictionary(uniqueKeysWithValues: catalogues.joined().map { ($0.key, $0.value) })
    }
}
