/// The texts of mails.
extension Phrase {
    package enum Mail {
        package static let greeting = Phrase("Hello,", "안녕하세요.")
        package static let verificationSubject = Phrase(
            "{code} is your QRing verification code", "QRing 인증번호는 {code}입니다")
        package static let verification = Phrase(
            "Enter this code to confirm that this e-mail address is yours:",
            "이메일 주소를 확인하려면 아래 인증번호를 입력하세요.")
        package static let verificationLink = Phrase("Confirm my e-mail address", "이메일 주소 확인하기")
        package static let resetSubject = Phrase("Choose a new QRing password", "QRing 비밀번호를 새로 정하세요")
        package static let reset = Phrase(
            "Somebody asked to reset the password of your account. To choose a new password, enter this "
                + "code:",
            "비밀번호 재설정 요청을 받았습니다. 새 비밀번호를 정하려면 아래 인증번호를 입력하세요.")
        package static let resetLink = Phrase("Choose a new password", "새 비밀번호 정하기")
        /// The whole text message: one message of an SMS has 70 characters if it is Korean.
        package static let phoneCode = Phrase(
            "{code} is your QRing code. It is valid for 10 minutes. Do not give it to anybody.",
            "[QRing] 인증번호는 {code}입니다. 10분 동안 유효하며, 다른 사람에게 알려 주지 마세요.")
        package static let orOpen = Phrase("Or open this link:", "또는 아래 링크를 여세요.")
        package static let codeExpires = Phrase(
            "The code and the link can be used once, until {time} (UTC).",
            "인증번호와 링크는 {time}(UTC)까지 한 번만 사용할 수 있습니다.")
        package static let notYou = Phrase(
            "If you did not ask for this mail, you need to do nothing. Do not give the code to anybody.",
            "직접 요청하지 않았다면 아무것도 하지 않아도 됩니다. 인증번호를 다른 사람에게 알려 주지 마세요.")
        package static let reminderSubject = Phrase(
            "Reminder: {name}, {time}", "일정 알림: {name}, {time}")
        package static let reminder = Phrase("{name} begins soon.", "{name} 모임이 곧 시작합니다.")
        package static let movedSubject = Phrase("{name} has moved to {time}", "{name} 일정 변경: {time}")
        package static let moved = Phrase("{name} takes place at another time.", "{name} 모임의 일정이 바뀌었습니다.")
        package static let cancelledSubject = Phrase("{name} is cancelled: {time}", "{name} 취소: {time}")
        package static let cancelled = Phrase(
            "{name} does not take place at this time.", "{name} 모임이 아래 일정에 열리지 않습니다.")
        package static let feedbackSubject = Phrase("{name}: feedback is open", "{name}: 피드백을 남겨 주세요")
        package static let feedback = Phrase(
            "You can answer the questions about {name} until {time}. Open the page on the phone that you "
                + "checked in with.",
            "{time}까지 {name} 모임의 질문에 답할 수 있습니다. 체크인한 휴대전화에서 아래 페이지를 여세요.")
        package static let feedbackLink = Phrase("Answer the questions", "질문에 답하기")
        package static let elsewhereSubject = Phrase(
            "{name}: you have checked in already", "{name}: 이미 체크인했습니다")
        package static let elsewhere = Phrase(
            "You checked in at {time}. At {again}, another phone tried to check in with your details.",
            "{time}에 체크인했습니다. {again}에 다른 휴대전화가 같은 정보로 체크인을 시도했습니다.")
        package static let elsewhereMeans = Phrase(
            "Your check-in counts, and nothing has changed. If this was not you, tell the host.",
            "체크인은 그대로 유효합니다. 직접 한 것이 아니라면 진행자에게 알려 주세요.")
        package static let invitationSubject = Phrase("Invitation to {name}", "{name} 초대")
        package static let invitation = Phrase(
            "{inviter} invites you to the meeting {name} as {role}. Sign in or sign up with this e-mail "
                + "address to accept.",
            "{inviter} 님이 {name}에 {role} 역할로 초대했습니다. 이 이메일로 로그인하거나 가입한 뒤 수락하세요.")
        package static let invitationLink = Phrase("Open the invitation", "초대 열기")
        package static let invitationStranger = Phrase(
            "If you do not know this person, ignore this mail. Nothing happens until you accept.",
            "모르는 사람이 보냈다면 이 메일을 무시하세요. 수락하기 전에는 아무 일도 일어나지 않습니다.")
        package static let when = Phrase("When: {time}", "일시: {time}")
        package static let whereItIs = Phrase("Where: {place}", "장소: {place}")
        package static let whyYou = Phrase(
            "You get this mail because you are on the roster of {name}.",
            "{name} 모임의 명단에 있어 이 메일을 받았습니다.")
        package static let whyInvited = Phrase(
            "You get this mail because somebody invited you to a meeting.",
            "누군가 회원님을 모임에 초대하여 이 메일을 보내 드립니다.")
        package static let unsubscribe = Phrase("Stop these mails", "메일 그만 받기")
        package static let unsubscribeAsk = Phrase(
            "Which mails do you no longer want?", "어떤 메일을 그만 받을까요?")
        package static let unsubscribeMeeting = Phrase("Mails about this meeting", "이 모임의 메일")
        package static let unsubscribeAll = Phrase(
            "Mails about any meeting on this server", "이 서버의 모든 모임 메일")
        /// True also if the roster no longer has the entry with the mail's address. The page says the same in
        /// both cases, so that a stranger who opens a forwarded link learns nothing about the person.
        package static let unsubscribed = Phrase(
            "Mails with this link have ended", "이 링크가 있는 메일은 더 이상 보내지 않습니다")
        package static let unsubscribedDetail = Phrase(
            "Nothing else has changed. If you get such a mail again, use the link in that mail.",
            "그 밖의 정보는 그대로입니다. 이런 메일을 다시 받으면 그 메일에 있는 링크를 이용해 주세요.")
        package static let testSubject = Phrase("Test mail from QRing", "QRing 시험 메일")
        package static let test = Phrase(
            "This mail shows that the QRing server can send mails.",
            "QRing 서버에서 메일을 보낼 수 있는지 확인하는 시험 메일입니다.")
        package static let sentBy = Phrase(
            "This mail was sent automatically by the QRing server at {server}.",
            "이 메일은 {server}의 QRing 서버에서 자동으로 보냈습니다.")
    }
}
