import Meetings
import Phrases
import Wire

extension QuestionSet {
    /// Returns the answers in a submitted form. They are not checked yet; the set checks them later.
    func answers(in form: Form) -> Answers {
        var answers: Answers = [:]
        for question in asked {
            answers[question.id] = question.onPage.answer(form)
        }
        return answers
    }

    /// Returns the questions and answers as a text, for an attendee who wants to copy it.
    func text(of answers: Answers, in language: Language) -> String {
        asked.compactMap { question in
            answers[question.id].map { "\(question.title.plain)\n\(question.text(of: $0, in: language))" }
        }.joined(separator: "\n\n")
    }
}

extension Question {
    /// The name of the question's field in a form.
    var fieldName: String { "q_\(id)" }
    var otherFieldName: String { "\(fieldName)_other" }

    /// Returns an answer as people read it, with a line for each choice.
    func text(of answer: Answer, in language: Language) -> String {
        parts(of: answer, in: language, .page).joined(separator: "\n")
    }
}
