/// The texts for signing in, signing up, the host's own account and invitations.
extension Phrase.Host {
    package static let account: [String: Phrase] = [
        "aboutYou": Phrase("About you", "내 정보"),
        "accept": Phrase("Accept", "수락"),
        "acceptedTo": Phrase("You are now a member of {name}.", "이제 {name}의 구성원입니다."),
        "acceptHint": Phrase(
            """
            You are invited to help run a meeting. Accept with the account whose e-mail address was \
            invited.
            """,
            "모임 운영에 초대받았습니다. 초대받은 이메일의 계정으로 수락하세요."),
        "acceptTerms": Phrase("I accept the terms", "약관에 동의합니다"),
        "attending": Phrase("Attending only? Enter the join code.", "참여하러 오셨나요? 참여 코드를 입력하세요."),
        "birthDate": Phrase("Birth date", "생년월일"),
        "changePassword": Phrase("Change the password", "비밀번호 변경"),
        "chipAdded": Phrase("{word} was added.", "{word}을(를) 추가했습니다."),
        "chipRemove": Phrase("Remove {word}", "{word} 삭제"),
        "chipRemoved": Phrase("{word} was removed.", "{word}을(를) 삭제했습니다."),
        "currentPassword": Phrase("Current password", "현재 비밀번호"),
        "decline": Phrase("Decline", "거절"),
        "email": Phrase("E-mail address", "이메일"),
        "emailFree": Phrase("This address is available.", "사용할 수 있는 이메일입니다."),
        "emailTaken": Phrase(
            "An account with this address already exists. Do you want to sign in?",
            "이미 가입된 이메일입니다. 로그인하시겠습니까?"),
        "emailWrong": .Page.emailWrong,
        "female": Phrase("female", "여성"),
        "gender": Phrase("Gender", "성별"),
        "genderOther": Phrase("other", "기타"),
        "interests": Phrase("Interests", "관심사"),
        "interestsAdd": Phrase("Press Enter to add one.", "입력한 뒤 Enter 키를 누르면 추가됩니다."),
        "interestsHint": Phrase("Add {count} more: press Enter after each.", "Enter 키로 {count}개 더 추가하세요."),
        "invitations": Phrase("Invitations", "받은 초대"),
        "leaveDelete": Phrase("Delete them", "삭제"),
        "leaveForGood": Phrase("Delete my account", "계정 삭제"),
        "leaveHandOver": Phrase("Hand each one over to a host, if it has one", "진행자가 있으면 진행자에게 넘기기"),
        "leaveMeetings": Phrase("Meetings that only you own", "나만 소유한 모임"),
        "male": Phrase("male", "남성"),
        "nameMissing": Phrase("Enter a name.", "이름을 입력하세요."),
        "newPassword": Phrase("New password", "새 비밀번호"),
        "noAccount": Phrase("No account yet?", "아직 계정이 없으신가요?"),
        "notSaid": Phrase("not stated", "선택 안 함"),
        "optional": Phrase("optional", "선택"),
        "password": Phrase("Password", "비밀번호"),
        "passwordAgain": Phrase("Repeat the password", "비밀번호 확인"),
        "passwordChanged": Phrase(
            "Your password was changed. You are signed out everywhere else.",
            "비밀번호를 변경했습니다. 다른 기기와 브라우저에서는 로그아웃되었습니다."),
        "passwordHint": Phrase("At least 8 characters. A sentence is best.", "8자 이상 입력하세요. 문장이 가장 안전합니다."),
        "passwordsDiffer": CommandPhrases.Fail.passwordsDiffer,
        "passwordShort": Phrase("Enter at least 8 characters.", "8자 이상 입력하세요."),
        "phone": Phrase("Phone", "전화번호"),
        "purpose": Phrase(
            """
            Run meetings: attendees check in with a QR code and answer your questions, and you watch both \
            live.
            """,
            "QR 코드로 체크인을 받고, 질문에 대한 답변까지 실시간으로 확인하세요."),
        "scrollTerms": Phrase("Scroll to the end of the terms to accept them.", "약관을 끝까지 읽으면 동의할 수 있습니다."),
        "setupToken": Phrase("Set-up token", "설정 토큰"),
        "setupTokenHint": Phrase(
            """
            The first account becomes the operator of this server. The server printed the token when it \
            started. The file setup-token in the data folder contains it, too.
            """,
            "첫 계정은 서버 운영자의 계정이 됩니다. 토큰은 서버가 시작할 때 출력되며, 데이터 폴더의 setup-token 파일에도 있습니다."),
        "setupTokenMissing": Phrase("Enter the set-up token.", "설정 토큰을 입력하세요."),
        "signIn": Phrase("Sign in", "로그인"),
        "signInEnd": Phrase("Sign out there", "로그아웃"),
        "signInEndOf": Phrase("Sign out on {device}", "{device}에서 로그아웃"),
        "signInIsOver": Phrase("That device is signed out.", "그 기기에서 로그아웃했습니다."),
        "signIns": Phrase("Sign-ins", "로그인한 기기"),
        "signUp": Phrase("Sign up", "가입하기"),
        "signUpByInvitation": Phrase(
            "You need an invitation to sign up here. Open the link of your invitation.",
            "초대를 받아야 가입할 수 있습니다. 초대 링크를 여세요."),
        "signUpClosed": Phrase("This server does not accept new accounts.", "이 서버는 새 계정을 받지 않습니다."),
        "step": Phrase("Step {step} of {steps}:", "{steps}단계 중 {step}단계:"),
        "terms": Phrase("Terms", "이용 약관"),
        "thisOne": Phrase("this device", "현재 기기"),
        "typeEmailToLeave": Phrase("Enter {email} to delete the account", "계정을 삭제하려면 이메일을 입력하세요: {email}"),
        "yourName": .Page.name,
    ]
}
