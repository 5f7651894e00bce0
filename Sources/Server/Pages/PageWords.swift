import Phrases

/// What the scripts of the pages say.
enum PageWords {
    /// Beside the fields of any form.
    static let form: [String: Phrase] = [
        "needed": .Page.needed, "emailWrong": .Page.emailWrong, "tooLong": .Page.tooLong,
        "counter": .Page.counter,
        "waits": .Page.buttonWaits, "remember": .Page.remember, "numberWrong": .Page.numberWrong,
        "chooseUpTo": .Page.chooseUpTo,
    ]

    /// On an attendee's own page.
    static let own: [String: Phrase] = form.merging(results) { own, _ in own }.merging([
        "oneByOne": .Page.oneByOne, "allAtOnce": .Page.allAtOnce, "progress": .Page.progress,
        "next": .Page.next, "back": .Page.back,
        "draftKept": .Page.draftKept, "opened": .Page.opened, "isShared": .Page.resultsAreShared,
        "notShared": .Page.resultsNotShared,
        "becameNamed": .Page.becameNamed, "becameAnonymous": .Page.becameAnonymous,
    ]) { own, _ in own }

    /// Where results are shown.
    static let results: [String: Phrase] = [
        "results": .Page.results, "answers": .Page.answersCount, "average": .Page.average,
        "median": .Page.median,
        "tooFew": .Page.tooFew, "star": .Page.star, "feedback": .Page.feedback, "poll": .Page.poll,
        "pending": .Page.pending,
    ]

    /// On the hall's screen.
    static let projector: [String: Phrase] = results.merging([
        "noResults": .Page.noResults, "noNames": .Page.noNames, "names": .Page.arrivedNow,
        "of": .Page.questionOf,
        "noQuestions": .Page.noQuestions, "shareHere": .Page.shareHere, "answersSoFar": .Page.answersSoFar,
    ]) { own, _ in own }
}
