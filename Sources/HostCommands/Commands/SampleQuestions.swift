internal import Client
internal import Meetings
internal import Phrases

/// Example questions: one question of each kind.
enum SampleQuestions {
    static func all(in language: Language) -> [QuestionDraft] {
        typealias Sample = CommandPhrases.Sample
        var rating = QuestionDraft(.rating, Sample.rating.text(in: language))
        rating.required = true
        rating.scale = 5
        var choice = QuestionDraft(.multipleChoice, Sample.choice.text(in: language))
        choice.choices = Sample.choices.map { QuestionDraft.Choice($0.text(in: language)) }
        choice.maxSelections = 2
        return [rating, choice, QuestionDraft(.shortAnswer, Sample.text.text(in: language))]
    }
}
