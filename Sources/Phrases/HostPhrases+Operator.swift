/// The texts of the operator's page.
extension Phrase.Host {
    package static let unnamedProxy = Phrase(
        "{count} requests carry X-Forwarded-For from {address}, which is not named as a trusted proxy. If it "
            + "is your proxy, all its clients look like one address and share one limit: start the server "
            + "with --trusted-proxy {address}. Otherwise, ignore this notice.")

    package static let operators: [String: Phrase] = [
        "actionLog": Phrase("Journal of actions"),
        "actorGone": Phrase("a person without an account"),
        "actorServer": Phrase("the server"),
        "close": Phrase("Close"),
        "mail_dropped": Phrase("dropped"),
        "mail_expired": Phrase("expired"),
        "mail_refused": Phrase("refused"),
        "mail_sent": Phrase("sent"),
        "mail_waiting": Phrase("waiting"),
        "mailDrop": Phrase("Drop"),
        "mailDropAsk": Phrase("Drop the mail to {address} without sending it?"),
        "codeBudget_mail": Phrase("Mails: {used} of {most}"),
        "codeBudget_phone": Phrase("Phones: {used} of {most}"),
        "codeBudgetState_keptForMarks": Phrase(
            """
            Used up for new people. The rest is kept for people who have signed in or checked in before.
            """),
        "codeBudgetState_low": Phrase("More than 80 % is used. Look for a client that sends many requests."),
        "codeBudgetState_usedUp": Phrase("Used up. Nobody gets a code until the hour is over."),
        "codeBudgetUnknown": Phrase("By new people: {usedWithoutMark} of {mostWithoutMark}"),
        "codeBudgets": Phrase("Codes requested in this hour"),
        "mailNone": Phrase("No mail waits or was refused."),
        "mailQueue": Phrase("Mails that wait or were refused"),
        "mailRetry": Phrase("Send now"),
        "notices": Phrase("Needs attention"),
        "operatorPage": Phrase("Server"),
        "userCreate": Phrase("Create an account"),
        "userDelete": Phrase("Delete", context: "account"),
        "userDeleteAsk": Phrase(
            "The account and all meetings that only this person owns are deleted. Nobody can undo this."),
        "userDeleteOf": Phrase("Delete the account of {name}?"),
        "userInvite": Phrase("Invite", context: "operator"),
        "userInvited": Phrase("Copy this link and send it yourself. It is valid for a week."),
        "userMakeOperator": Phrase("Make an operator"),
        "userMore": Phrase("More about {name}"),
        "userNone": Phrase("No account matches."),
        "userOperator": Phrase("operator"),
        "userOwns": Phrase("Owns {count} {count|meeting|meetings}. Sign-ins:"),
        "userPasswordHint": Phrase("This password is shown only once. Hand it over yourself."),
        "userPasswordOf": Phrase("New password of {name}"),
        "userReset": Phrase("Reset the password"),
        "userResume": Phrase("Resume"),
        "users": Phrase("Accounts"),
        "userSearch": Phrase("Search accounts"),
        "userState_active": Phrase("active"),
        "userState_suspended": Phrase("suspended"),
        "userState_unverified": Phrase("unverified"),
        "userState_withdrawn": Phrase("deleted"),
        "userSuspend": Phrase("Suspend"),
    ]
}
