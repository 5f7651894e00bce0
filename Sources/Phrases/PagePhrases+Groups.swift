/// The texts of the attendee's page for groups of interest.
extension Phrase.Page {
    package static let groups = Phrase("Groups of interest", "관심사 모임")
    package static let groupsMean = Phrase(
        "Find somebody in this session with the same interests, and meet.",
        "이 회차에서 관심사가 같은 사람을 찾아 만나 보세요.")
    package static let groupsOff = Phrase(
        "The groups of interest are off. This page opens when a host switches them on.",
        "관심사 모임이 꺼져 있습니다. 진행자가 켜면 이 페이지가 열립니다.")
    package static let nickname = Phrase("Nickname", "별명")
    package static let nicknameMeans = Phrase(
        "Only the person whom you meet sees it, and the hosts if somebody reports you. "
            + "It need not be your name.",
        "만나기로 한 사람에게만 보이고, 신고를 받으면 진행자도 봅니다. 본명이 아니어도 됩니다.")
    package static let keywords = Phrase("Interests", "관심사")
    package static let keywordsMean = Phrase(
        "1 to 8 words, separated by commas. Everybody who takes part sees them without your nickname.",
        "쉼표로 구분해 1~8개를 적으세요. 참여자 모두에게 별명 없이 보입니다.")
    package static let fromProfile = Phrase(
        "Filled in from the profile of your account. Change what others should not see.",
        "계정의 프로필로 미리 채웠습니다. 다른 사람에게 보이고 싶지 않은 내용은 고치세요.")
    package static let ages = Phrase("Only meet people of certain ages (optional)", "나이대 정하기(선택)")
    package static let agesMean = Phrase(
        "Only people of these ages find you, and you find only them. The others see neither your age nor "
            + "your age group, but they can work out the age group.",
        "정한 나이대의 사람만 서로를 찾을 수 있습니다. 나이와 연령대는 표시되지 않지만, 연령대는 추측할 수 있습니다.")
    package static let ageGroup = Phrase("Your age group", "내 연령대")
    package static let noAge = Phrase("not stated", "선택 안 함")
    package static let ageMin = Phrase("From age", "몇 살부터")
    package static let ageMax = Phrase("To age", "몇 살까지")
    package static let ageMissing = Phrase(
        "Choose your age group, or leave both ages empty.", "내 연령대를 선택하거나 두 나이를 모두 비워 두세요.")
    package static let groupsHidden = Phrase(
        "Your name is shown to nobody. It is stored with your nickname, so that you can leave at any time.",
        "이름은 아무에게도 보이지 않습니다. 언제든 나갈 수 있도록 별명과 함께 저장됩니다.")
    package static let groupsNamed = Phrase(
        "If somebody reports you, the hosts see your name. Other attendees never see it.",
        "신고를 받으면 진행자가 이름을 봅니다. 다른 참석자에게는 보이지 않습니다.")
    package static let takePart = Phrase("Take part", "참여하기")
    package static let changeProfile = Phrase("Change nickname or interests", "별명이나 관심사 바꾸기")
    package static let leaveGroups = Phrase("Leave the groups", "관심사 모임에서 나가기")
    package static let leftGroups = Phrase(
        "You left. Nobody sees your interests any more.", "나갔습니다. 관심사가 더 이상 보이지 않습니다.")
    package static let youAs = Phrase("You take part as {nickname}.", "참여 중인 별명: {nickname}")
    package static let interestsHere = Phrase("Interests here", "이곳의 관심사")
    package static let peopleCount = Phrase(
        "{count} {count|person takes|people take} part", "{count}명 참여 중")
    package static let peopleToAsk = Phrase("People you can ask", "요청할 수 있는 사람")
    package static let peopleWith = Phrase("People interested in {keyword}", "관심사: {keyword}")
    package static let allPeople = Phrase("Show everybody", "모두 보기")
    package static let nobodyToAsk = Phrase(
        "Nobody else can be asked now. This page shows new people when they take part.",
        "지금은 요청할 수 있는 사람이 없습니다. 새로 참여한 사람이 있으면 이 페이지에 나타납니다.")
    package static let inCommon = Phrase("{count} in common", "공통 관심사 {count}개")
    package static let askToMeet = Phrase("Ask to meet", "만남 요청")
    package static let askSomebody = Phrase(
        "Ask to meet somebody interested in {keywords}", "관심사가 {keywords}인 사람에게 만남 요청")
    package static let somebodyAsks = Phrase("Somebody asks to meet you", "만남 요청이 왔습니다")
    package static let somebodyAgreed = Phrase("You are meeting somebody", "만나기로 한 사람이 있습니다")
    package static let interestedIn = Phrase("Interested in {keywords}", "관심사: {keywords}")
    package static let accept = Phrase("Accept", "수락")
    package static let decline = Phrase("Decline", "거절")
    package static let youAsked = Phrase("You asked to meet", "보낸 만남 요청")
    package static let secondsLeft = Phrase("{count} {count|second|seconds} left", "{count}초 남음")
    package static let requestDeclined = Phrase(
        "This person declined. Ask somebody else.", "상대방이 거절했습니다. 다른 사람에게 요청해 보세요.")
    package static let requestExpired = Phrase(
        "There was no answer within 30 seconds. You can ask again.",
        "30초 안에 답이 없었습니다. 다시 요청할 수 있습니다.")
    package static let withdrawRequest = Phrase("Withdraw the request", "요청 취소")
    package static let youMeet = Phrase("You meet {nickname}", "{nickname} 님과 만납니다")
    package static let meetAt = Phrase("Meet here: {place}", "만날 자리: {place}")
    package static let lineToMatch = Phrase("A line to {nickname}", "{nickname} 님에게 보낼 한마디")
    package static let lineMeans = Phrase(
        "Up to 200 characters. Only {nickname} sees it. It is deleted when your meeting ends.",
        "200자까지 적을 수 있습니다. {nickname} 님에게만 보이고, 만남이 끝나면 삭제됩니다.")
    package static let sendLine = Phrase("Send", "보내기")
    package static let lineFrom = Phrase("{nickname} writes: {text}", "{nickname} 님의 한마디: {text}")
    package static let metLeft = Phrase(
        "The person whom you wanted to meet has left. Look for others.",
        "만나기로 한 사람이 나갔습니다. 다른 사람을 찾아보세요.")
    package static let lookForOthers = Phrase("Look for others", "다른 사람 찾기")
    package static let endMeeting = Phrase("We met: look for others", "만남 마치고 다른 사람 찾기")
    package static let reportOrBlock = Phrase("Report or block", "신고 또는 차단")
    package static let reportMeans = Phrase(
        "The hosts see the other person's nickname, interests and your text, but not who reported. "
            + "You will not see each other again here.",
        "진행자는 상대방의 별명과 관심사, 적은 내용을 보지만 누가 신고했는지는 보지 않습니다. 서로 더 이상 보이지 않습니다.")
    package static let reportText = Phrase("What happened? (optional)", "무슨 일이 있었나요? (선택)")
    package static let sendReport = Phrase("Report and block", "신고하고 차단")
    package static let blockOnly = Phrase("Block without a report", "신고하지 않고 차단")
    package static let reported = Phrase(
        "The hosts got your report. You will not see this person again here.",
        "진행자에게 신고했습니다. 이 사람은 더 이상 보이지 않습니다.")
    package static let blockedNow = Phrase(
        "You will not see this person again here.", "이 사람은 더 이상 보이지 않습니다.")
    package static let unblockAll = Phrase(
        "Unblock {count} {count|person|people}", "차단한 {count}명 모두 해제")
    package static let backToGroups = Phrase("Back to the groups", "관심사 모임으로 돌아가기")
}

extension PageWords {
    /// The texts for the page of groups of interest.
    package static let groups: [String: Phrase] = form.merging(
        ["secondsLeft": .Page.secondsLeft], uniquingKeysWith: { first, _ in first })
}
