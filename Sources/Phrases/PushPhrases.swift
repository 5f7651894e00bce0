/// The texts of push messages. They name no person, because a locked screen may show them.
extension Phrase {
    package enum Push {
        package static let matched = Phrase(
            "You have a match. Open the page to see where you meet.",
            "만남이 정해졌습니다. 페이지에서 만날 곳을 확인하세요.")
        package static let declined = Phrase(
            "Your request to meet was declined.", "만남 요청이 거절되었습니다.")
        package static let sessionStarts = Phrase("Your session starts now.", "회차가 시작되었습니다.")
        package static let checkInOpens = Phrase("Check-in is open.", "지금부터 체크인할 수 있습니다.")
    }
}
