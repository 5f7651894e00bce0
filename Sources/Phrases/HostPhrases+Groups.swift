/// The texts of groups of interest on the host's page.
extension Phrase.Host {
    package static let groups: [String: Phrase] = [
        "tab_groups": Phrase("Groups", "관심사 모임"),
        "groupsMeanHost": Phrase(
            "Attendees who take part choose a nickname and interests, and ask each other to meet. You see "
                + "counts and reports, but not who meets whom.",
            "참여하는 참석자는 별명과 관심사를 정하고 서로 만남을 요청합니다. 진행자는 인원수와 신고만 보고, 누가 누구를 만나는지는 보지 않습니다."),
        "openGroups": Phrase("Switch groups on", "관심사 모임 켜기"),
        "closeGroups": Phrase("Switch groups off", "관심사 모임 끄기"),
        "groupsWithNames": Phrase("Show me the names in reports", "신고에서 이름 보기"),
        "groupsWithoutNames": Phrase("Hide the names in reports", "신고에서 이름 숨기기"),
        "groupsNamesAreSeen": Phrase(
            "For people who take part from now on, reports show you the name.",
            "지금부터 참여하는 사람은 신고에 이름이 보입니다."),
        "groupsNamesAreHidden": Phrase(
            "The names of people who take part from now on are shown to nobody.",
            "지금부터 참여하는 사람의 이름은 아무에게도 보이지 않습니다."),
        "groupCounts": Phrase(
            "{people} {people|person takes|people take} part, {pairs} {pairs|pair meets|pairs meet} now",
            "{people}명 참여 중, 지금 {pairs}쌍이 만나는 중"),
        "groupsAreOff": Phrase(
            "The groups are off. Switch them on, and tell the audience.",
            "관심사 모임이 꺼져 있습니다. 켠 다음 청중에게 알려 주세요."),
        "places": Phrase("Tables or places to meet", "만날 테이블이나 자리"),
        "placesMean": Phrase(
            "One on each line, at most 50. Each pair gets the one with the fewest pairs. Without places, the "
                + "two exchange a line of text.",
            "한 줄에 하나씩, 최대 50개. 새로 만나는 두 사람은 가장 한산한 자리를 안내받습니다. 비워 두면 두 사람이 한마디를 주고받습니다."),
        "savePlaces": Phrase("Save places", "자리 저장"),
        "placesSaved": Phrase("Places saved.", "자리를 저장했습니다."),
        "groupReports": Phrase("Reports", "신고"),
        "noReports": Phrase(
            "Nobody has reported anybody.", "신고가 없습니다."),
        "exclude": Phrase("Exclude from the groups", "관심사 모임에서 제외"),
        "includeAgain": Phrase("Include again", "제외 해제"),
        "closeReport": Phrase("Mark as dealt with", "처리 완료"),
        "reportClosed": Phrase("Dealt with", "처리됨"),
    ]
}
