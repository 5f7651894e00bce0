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
        "ageMax": .Page.ageMax,
        "ageMin": .Page.ageMin,
        "ageMissing": Phrase("Enter both ages, or none.", "두 나이를 모두 입력하거나 모두 비워 두세요."),
        "ageOrder": Phrase(
            "Enter an age that is not below the first one.", "앞에 입력한 나이 이상으로 입력하세요."),
        "agesOfOthers": Phrase("Ages of the people who may find me", "나를 찾을 수 있는 사람의 나이"),
        "ageWrong": Phrase("Enter an age from {min} to {max}.", "{min}에서 {max} 사이의 나이를 입력하세요."),
        "birthDate": Phrase("Birth date", "생년월일"),
        "birthDateHint": Phrase("Eight digits, for example 20010520", "숫자 여덟 자리. 예: 20010520"),
        "birthDateWrong": Phrase(
            "Enter a complete date that is not in the future.", "오늘이나 그 이전의 연월일을 모두 입력하세요."),
        "changePassword": Phrase("Change the password", "비밀번호 변경"),
        "chipAdded": Phrase("{word} was added.", "{word}을(를) 추가했습니다."),
        "chipRemove": Phrase("Remove {word}", "{word} 삭제"),
        "chipsLess": Phrase("Show fewer", "접기"),
        "chipsMore": Phrase("{count} more", "{count}개 더 보기"),
        "chipRemoved": Phrase("{word} was removed.", "{word}을(를) 삭제했습니다."),
        "currentPassword": Phrase("Current password", "현재 비밀번호"),
        "dataFile": .Data.asFile,
        "dataShow": .Data.show,
        "decline": Phrase("Decline", "거절"),
        "email": Phrase("E-mail address", "이메일"),
        "emailFree": Phrase("This address is available.", "사용할 수 있는 이메일입니다."),
        "emailTaken": Phrase(
            "An account with this address already exists. Do you want to sign in?",
            "이미 가입된 이메일입니다. 로그인하시겠습니까?"),
        "emailSignIn": Phrase("Sign in with e-mail and password", "이메일과 비밀번호로 로그인"),
        "emailIncomplete": Phrase("Is this address complete?", "이메일 주소를 끝까지 입력하셨나요?"),
        "emailWrong": .Page.emailWrong,
        "addressVerified": Phrase("Your e-mail address is verified.", "이메일을 확인했습니다."),
        "codeHint": Phrase(
            "If {email} has an account, a message with a code comes. It is valid for 10 minutes.",
            "{email}(으)로 가입한 계정이 있으면 인증번호가 전송됩니다. 인증번호는 10분 동안 유효합니다."),
        "codeMissing": Phrase("Enter the code.", "인증번호를 입력하세요."),
        "codeNotSent": Phrase(
            """
            No new message was sent. You can ask for one from {time}. A code from an earlier message is \
            valid for 10 minutes.
            """,
            "새 메시지를 보내지 않았습니다. {time}부터 다시 요청할 수 있습니다. 먼저 받은 인증번호는 10분 동안 유효합니다."),
        "female": .Data.female,
        "fieldInvalid": Phrase("Check this", "확인 필요"),
        "fieldNeeded": Phrase("Needed", "필수"),
        "fieldTyping": Phrase("Not complete yet", "입력 중"),
        "fieldValid": Phrase("Valid", "올바름"),
        "gender": Phrase("Gender", "성별"),
        "genderOther": .Data.otherGender,
        "interests": Phrase("Interests", "관심사"),
        "groups": .Page.groups,
        "interestAdd": Phrase("Add", "추가"),
        "interestsDone": Phrase("Done", "완료"),
        "interestsAdd": Phrase("Press Enter or a comma after each one.", "하나씩 입력하고 Enter 키나 쉼표를 누르세요."),
        "interestsHint": Phrase(
            "Add {count} more: press Enter or a comma after each.",
            "{count}개 더 추가하세요. 하나씩 입력하고 Enter 키나 쉼표를 누르세요."),
        "interestsMissing": Phrase(
            "Add {count} more {count|interest|interests}.", "관심사를 {count}개 더 추가하세요."),
        "invitations": Phrase("Invitations", "받은 초대"),
        "leaveDelete": Phrase("Delete them", "삭제"),
        "leaveForGood": Phrase("Delete my account", "계정 삭제"),
        "leaveHandOver": Phrase("Hand each one over to a host, if it has one", "진행자가 있으면 진행자에게 넘기기"),
        "leaveMeetings": Phrase("Meetings that only you own", "나만 소유한 모임"),
        "forgotPassword": Phrase("Forgot password?", "비밀번호를 잊으셨나요?"),
        "mailCode": Phrase("Code from the mail", "메일에 있는 인증번호"),
        "male": .Data.male,
        "nameMissing": Phrase("Enter a name.", "이름을 입력하세요."),
        "newPassword": Phrase("New password", "새 비밀번호"),
        "nickname": .Page.nickname,
        "nicknameHint": Phrase(
            "Strangers see this name when they meet you. It need not be your name.",
            "만나기로 한 사람에게 보이는 이름입니다. 본명이 아니어도 됩니다."),
        "noAccount": Phrase("No account yet?", "아직 계정이 없으신가요?"),
        "notifications": Phrase("Mails", "메일"),
        "notSaid": Phrase("not stated", "선택 안 함"),
        "optional": Phrase("Optional", "선택"),
        "password": Phrase("Password", "비밀번호"),
        "passwordAgain": Phrase("Repeat the password", "비밀번호 확인"),
        "passwordChanged": Phrase(
            "Your password was changed. You are signed out everywhere else.",
            "비밀번호를 변경했습니다. 다른 기기와 브라우저에서는 로그아웃되었습니다."),
        "passwordHint": Phrase("At least 8 characters. A sentence is best.", "8자 이상 입력하세요. 문장이 가장 안전합니다."),
        "passwordsDiffer": CommandPhrases.Fail.passwordsDiffer,
        "passwordMissing": Phrase("Enter your password.", "비밀번호를 입력하세요."),
        "passwordShort": Phrase("Enter at least 8 characters.", "8자 이상 입력하세요."),
        "phone": Phrase("Phone", "전화번호"),
        "phoneCode": Phrase("Code from the phone", "휴대전화로 받은 인증번호"),
        "phoneCodeHint": Phrase(
            """
            If {phone} has an account or can get one, a message with a code comes. It is valid for 10 minutes.
            """,
            "{phone} 번호의 계정이 있거나 새로 만들 수 있으면 인증번호가 전송됩니다. 인증번호는 10분 동안 유효합니다."),
        "phoneHint": Phrase(
            "For example 010-1234-5678, or +49 30 123456 with a country's code",
            "예: 010-1234-5678. 외국 번호는 국가 번호까지 입력하세요(예: +49 30 123456)."),
        "phoneMissing": Phrase("Enter your phone number.", "전화번호를 입력하세요."),
        "phoneWrong": Phrase(
            "Enter a mobile number such as 010-1234-5678, or a number with its country's code such as +49 30 "
                + "123456.",
            "010-1234-5678과 같은 휴대전화 번호나 +49 30 123456처럼 국가 번호가 있는 번호를 입력하세요."),
        "phoneSignIn": Phrase("Sign in by phone", "휴대전화로 로그인"),
        "profile": Phrase("Profile", "프로필"),
        "purpose": Phrase(
            """
            Run meetings: attendees check in with a QR code and answer your questions, and you watch both \
            live.
            """,
            "QR 코드로 체크인을 받고, 질문에 대한 답변까지 실시간으로 확인하세요."),
        "resetHint": Phrase(
            "Enter the e-mail address of your account. You get a code to choose a new password.",
            "계정의 이메일을 입력하세요. 새 비밀번호를 정할 수 있는 인증번호를 보내 드립니다."),
        "scrollTerms": Phrase("Scroll to the end of the terms to accept them.", "약관을 끝까지 읽으면 동의할 수 있습니다."),
        "searchable": Phrase(
            "Fill in my nickname, interests and ages when I join a group of interest",
            "관심사 모임에 참여할 때 내 별명, 관심사, 나이를 미리 채우기"),
        "searchableHint": Phrase(
            "Other people see this only after you join a group. You can change it when you join.",
            "모임에 참여한 뒤에만 다른 사람에게 보이며, 참여할 때 고칠 수 있습니다."),
        "sendAgain": Phrase("Send a new code", "새 인증번호 보내기"),
        "sendCode": Phrase("Send the code", "인증번호 보내기"),
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
        "signInWaits": Phrase(
            """
            If somebody in your network has sent wrong passwords, the check takes up to {seconds} s. Please \
            wait.
            """,
            "같은 네트워크에서 잘못된 비밀번호를 보낸 사람이 있으면 확인에 최대 {seconds}초가 걸립니다. 잠시 기다리세요."),
        "signIns": Phrase("Sign-ins", "로그인한 기기"),
        "signUp": Phrase("Sign up", "가입하기"),
        "signUpByInvitation": Phrase(
            "You need an invitation to sign up here. Open the link of your invitation.",
            "초대를 받아야 가입할 수 있습니다. 초대 링크를 여세요."),
        "signUpClosed": Phrase("This server does not accept new accounts.", "이 서버는 새 계정을 받지 않습니다."),
        "stillNeeded": Phrase("Still needed: {names}.", "아직 입력하지 않은 항목: {names}."),
        "stillWrong": Phrase("To check: {names}.", "확인할 항목: {names}."),
        "strangersHint": Phrase(
            """
            In a session with groups of interest, strangers see your interests, and your nickname when you \
            meet them. They never see your name, address, birth date or age.
            """,
            "관심사 모임에서 다른 사람에게는 관심사가 보이고, 만나기로 하면 별명도 보입니다. "
                + "이름, 연락처, 생년월일, 나이는 보이지 않습니다."),
        "step": Phrase("Step {step} of {steps}:", "{steps}단계 중 {step}단계:"),
        "terms": Phrase("Terms", "이용 약관"),
        "thisOne": Phrase("this device", "현재 기기"),
        "typeEmailToLeave": Phrase("Enter {email} to delete the account", "계정을 삭제하려면 이메일을 입력하세요: {email}"),
        "verifyAddress": Phrase("Verify your e-mail address", "이메일 확인"),
        "verifyHint": Phrase(
            "You get a code by mail. It proves that this address is yours.",
            "메일로 인증번호를 보내 드립니다. 인증번호를 입력하면 본인의 이메일임을 확인할 수 있습니다."),
        "wantsMails": Phrase(
            "Send me mails of meetings: reminders, open feedback, changes",
            "모임 메일 받기: 일정 알림, 피드백 요청, 변경 안내"),
        "wantsMailsHint": Phrase(
            "Codes and password resets are always sent.", "인증번호와 비밀번호 재설정 메일은 항상 보냅니다."),
        "wantsMailsUnverified": Phrase(
            "This takes effect after you verify your e-mail address.", "이메일을 확인한 뒤부터 적용됩니다."),
        "yourData": .Data.yourData,
        "yourName": .Page.name,
    ]
}
