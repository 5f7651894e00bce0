/// The texts of the operator's page.
extension Phrase.Host {
    package static let unnamedProxy = Phrase(
        "{count} requests carry X-Forwarded-For from {address}, which is not named as a trusted proxy. If it "
            + "is your proxy, all its clients look like one address and share one limit: start the server "
            + "with --trusted-proxy {address}. Otherwise, ignore this notice.",
        "신뢰하는 프록시로 지정하지 않은 {address}에서 X-Forwarded-For가 있는 요청이 {count}번 왔습니다. 이 주소가 직접 운영하는 "
            + "프록시라면 모든 접속자가 한 주소로 보여 한도를 나눠 씁니다. 서버를 --trusted-proxy {address}(으)로 시작하세요. "
            + "아니라면 무시해도 됩니다.")

    package static let operators: [String: Phrase] = [
        "actionLog": Phrase("Journal of actions", "작업 기록"),
        "actorGone": Phrase("a person without an account", "계정이 없는 사람"),
        "actorServer": Phrase("the server", "서버"),
        "close": Phrase("Close", "닫기"),
        "mail_dropped": Phrase("dropped", "삭제됨"),
        "mail_expired": Phrase("expired", "만료됨"),
        "mail_refused": Phrase("refused", "거부됨"),
        "mail_sent": Phrase("sent", "발송됨"),
        "mail_waiting": Phrase("waiting", "대기 중"),
        "mailDrop": Phrase("Drop", "보내지 않고 삭제"),
        "mailDropAsk": Phrase(
            "Drop the mail to {address} without sending it?", "{address}에 보낼 메일을 보내지 않고 삭제할까요?"),
        "codeBudget_mail": Phrase("Mails: {used} of {most}", "메일: {most}개 중 {used}개"),
        "codeBudget_phone": Phrase("Phones: {used} of {most}", "휴대전화: {most}개 중 {used}개"),
        "codeBudgetState_keptForMarks": Phrase(
            """
            Used up for new people. The rest is kept for people who have signed in or checked in before.
            """,
            "새로운 사람이 쓸 수 있는 만큼을 모두 썼습니다. 나머지는 전에 로그인하거나 체크인한 사람을 위해 남겨 둡니다."),
        "codeBudgetState_low": Phrase(
            "More than 80 % is used. Look for a client that sends many requests.",
            "80% 넘게 썼습니다. 요청을 많이 보내는 곳이 있는지 확인하세요."),
        "codeBudgetState_usedUp": Phrase(
            "Used up. Nobody gets a code until the hour is over.",
            "모두 썼습니다. 한 시간이 지날 때까지 아무도 인증번호를 받을 수 없습니다."),
        "codeBudgetUnknown": Phrase(
            "By new people: {usedWithoutMark} of {mostWithoutMark}",
            "새로운 사람: {mostWithoutMark}개 중 {usedWithoutMark}개"),
        "codeBudgets": Phrase("Codes requested in this hour", "한 시간 동안 요청된 인증번호"),
        "mailNone": Phrase("No mail waits or was refused.", "대기 중이거나 거부된 메일이 없습니다."),
        "mailQueue": Phrase("Mails that wait or were refused", "대기 중이거나 거부된 메일"),
        "mailRetry": Phrase("Send now", "지금 보내기"),
        "notices": Phrase("Needs attention", "확인이 필요한 사항"),
        "operatorPage": Phrase("Server", "서버 관리"),
        "userCreate": Phrase("Create an account", "계정 만들기"),
        "userDelete": Phrase("Delete", "계정 삭제"),
        "userDeleteAsk": Phrase(
            "The account and all meetings that only this person owns are deleted. Nobody can undo this.",
            "계정과 이 사람만 소유한 모임이 모두 삭제되며 되돌릴 수 없습니다."),
        "userDeleteOf": Phrase("Delete the account of {name}?", "{name} 님의 계정을 삭제할까요?"),
        "userInvite": Phrase("Invite", "가입 초대"),
        "userInvited": Phrase(
            "Copy this link and send it yourself. It is valid for a week.",
            "링크를 복사해 직접 전달하세요. 일주일 동안 사용할 수 있습니다."),
        "userMakeOperator": Phrase("Make an operator", "운영자로 지정"),
        "userMore": Phrase("More about {name}", "{name} 님 자세히 보기"),
        "userNone": Phrase("No account matches.", "일치하는 계정이 없습니다."),
        "userOperator": Phrase("operator", "운영자"),
        "userOwns": Phrase(
            "Owns {count} {count|meeting|meetings}. Sign-ins:", "소유한 모임 {count}개. 로그인한 기기:"),
        "userPasswordHint": Phrase(
            "This password is shown only once. Hand it over yourself.",
            "비밀번호는 지금 한 번만 표시됩니다. 직접 전달하세요."),
        "userPasswordOf": Phrase("New password of {name}", "{name} 님의 새 비밀번호"),
        "userReset": Phrase("Reset the password", "비밀번호 재설정"),
        "userResume": Phrase("Resume", "다시 사용"),
        "users": Phrase("Accounts", "계정"),
        "userSearch": Phrase("Search accounts", "계정 검색"),
        "userState_active": Phrase("active", "사용 중"),
        "userState_suspended": Phrase("suspended", "정지됨"),
        "userState_unverified": Phrase("unverified", "미확인"),
        "userState_withdrawn": Phrase("deleted", "삭제됨"),
        "userSuspend": Phrase("Suspend", "정지"),
    ]
}
