/// The texts of questions from the audience.
extension Phrase.Host {
    package static let audience: [String: Phrase] = [
        "answerHint": Phrase("Everybody sees it below the question. Delete the text to remove it."),
        "askWithNames": Phrase("Show names to hosts"),
        "askWithoutNames": Phrase("Hide names from everybody"),
        "checkFirst": Phrase("Check questions first"),
        "closeQuestions": Phrase("Stop accepting questions"),
        "exportJSON": Phrase("Export JSON"),
        "heldWords": Phrase("Words that hold texts back"),
        "heldWordsHint": Phrase(
            "One word in each line, at most {count}. A question or an answer with one of them waits until a "
                + "host shows it."),
        "namesAreHidden": Phrase("From now on, nobody sees who asks. Earlier questions keep their setting."),
        "namesAreSeen": Phrase(
            "From now on, hosts see who asks. Other attendees and the hall's screen do not."),
        "nobodyAsked": Phrase("No questions yet. Attendees ask on their phones."),
        "nobodyMayAsk": Phrase("Attendees cannot ask yet. Choose “Accept audience questions” above."),
        "noTexts": Phrase("Nobody has written anything yet."),
        "openQuestions": Phrase("Accept audience questions"),
        "pinned": .Page.questionPinned,
        "questionCounts": Phrase("{shown} shown, {pending} pending, {hidden} hidden"),
        "questionGone": Phrase("This question was deleted."),
        "question_answer": Phrase("Answer in writing"),
        "question_answered": .Page.questionAnswered,
        "question_hidden": Phrase("Hidden"),
        "question_hide": Phrase("Hide"),
        "question_merge": Phrase("Merge"),
        "question_mergeHint": Phrase(
            "It gets the votes of both questions. Nobody counts twice. “Review” can undo it."),
        "question_mergeInto": Phrase("The question that stays"),
        "question_pending": .Page.questionWaits,
        "question_pin": Phrase("Pin"),
        "question_show": Phrase("Show"),
        "question_unpin": Phrase("Unpin"),
        "showAtOnce": Phrase("Show questions at once"),
        "tab_audience": Phrase("Audience questions"),
        "textCounts": Phrase("{pending} pending, {shown} shown, {hidden} hidden (the newest)"),
        "textsOfAnswers": Phrase("Written answers"),
        "texts_after": Phrase("Hold listed words back"),
        "texts_before": Phrase("Check texts first"),
        "texts_none": Phrase("Show texts at once"),
        "votes": .Page.votes,
        "wordPeople": Phrase("{count} {count|person|people}"),
    ]
}
