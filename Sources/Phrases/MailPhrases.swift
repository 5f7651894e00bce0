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
        package static let orOpen = Phrase("Or open this link:", "또는 아래 링크를 여세요.")
        package static let codeExpires = Phrase(
            "The code and the link can be used once, until {time} (UTC).",
            "인증번호와 링크는 {time}(UTC)까지 한 번만 사용할 수 있습니다.")
        package static let notYou = Phrase(
            "If you did not ask for this mail, you need to do nothing. Do not give the code to anybody.",
            "직접 요청하지 않았다면 아무것도 하지 않아도 됩니다. 인증번호를 다른 사람에게 알려 주지 마세요.")
        package static let testSubject = Phrase("Test mail from QRing", "QRing 시험 메일")
        package static let test = Phrase(
            "This mail shows that the QRing server can send mails.",
            "QRing 서버에서 메일을 보낼 수 있는지 확인하는 시험 메일입니다.")
        package static let sentBy = Phrase(
            "This mail was sent automatically by the QRing server at {server}.",
            "이 메일은 {server}의 QRing 서버에서 자동으로 보냈습니다.")
    }
}
