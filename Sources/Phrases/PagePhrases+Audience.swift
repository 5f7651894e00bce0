/// The texts of the attendee's page for questions from the audience.
extension Phrase.Page {
    package static let audienceQuestions = Phrase("Questions for the host", "진행자에게 질문하기")
    package static let yourQuestion = Phrase("Your question", "질문")
    package static let askNow = Phrase("Ask", "질문하기")
    package static let questionHidden = Phrase(
        "Nobody sees your name. It is stored with the question only so that the question is "
            + "deleted if you withdraw your check-in.",
        "이름은 아무에게도 보이지 않습니다. 체크인을 취소하면 질문도 삭제할 수 있도록 이름을 함께 저장합니다.")
    package static let questionNamed = Phrase(
        "The hosts see your name with the question. It is not shown on the big screen or to other "
            + "attendees.",
        "진행자는 질문과 함께 이름을 볼 수 있습니다. 현장 스크린과 다른 참석자에게는 보이지 않습니다.")
    package static let questionSent = Phrase("Your question was sent.", "질문을 보냈습니다.")
    package static let questionPending = Phrase(
        "Your question was sent. A host checks it before it is shown.",
        "질문을 보냈습니다. 진행자가 확인한 뒤 공개합니다.")
    package static let questionsClosed = Phrase(
        "Questions are closed at the moment. You can still read the questions that were asked.",
        "지금은 질문을 받지 않습니다. 지금까지 올라온 질문은 볼 수 있습니다.")
    package static let noQuestionsYet = Phrase(
        "Nobody has asked yet. Be the first.", "아직 질문이 없습니다. 첫 질문을 남겨 보세요.")
    package static let vote = Phrase("Vote", "추천")
    package static let removeVote = Phrase("Remove my vote", "추천 취소")
    package static let votes = Phrase("{count} {count|vote|votes}", "추천 {count}개")
    package static let questionWaits = Phrase("Waiting for a host to check it", "진행자 확인 대기 중")
    package static let questionAnswered = Phrase("Answered", "답변 완료")
    package static let questionPinned = Phrase("Pinned", "고정")
}
