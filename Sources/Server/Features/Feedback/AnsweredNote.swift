import Meetings
import Phrases

/// What is said of answers that are in: how they are stored, and whether their results are shared. A script
/// keeps the second up to date.
struct AnsweredNote {
    let set: QuestionSet
    let language: Language

    func html() -> HTML {
        let kept = set.anonymous ? Phrase.Page.keptAnonymously : Phrase.Page.keptByName
        let shared = set.shared ? Phrase.Page.resultsAreShared : Phrase.Page.resultsNotShared
        return """
            <div class="done"><p><strong>\(Phrase.Page.thanksDetail.text(in: language))</strong></p>
            <p>\(kept.text(in: language))</p>
            <p class="sharing" data-set="\(set.name)">\(shared.text(in: language))</p></div>
            """
    }
}
