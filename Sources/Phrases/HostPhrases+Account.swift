/// The texts for signing in, signing up, the host's own account and invitations.
extension Phrase.Host {
    package static let account: [String: Phrase] = [
        "aboutYou": Phrase("About you"),
        "accept": Phrase("Accept"),
        "acceptedTo": Phrase("You are now a member of {name}."),
        "acceptHint": Phrase(
            """
            You are invited to help run a meeting. Accept with the account whose e-mail address was \
            invited.
            """),
        "acceptTerms": Phrase("I accept the terms"),
        "attending": Phrase("Attending only? Enter the join code."),
        "ageMax": .Page.ageMax,
        "ageMin": .Page.ageMin,
        "ageMissing": Phrase("Enter both ages, or none."),
        "ageOrder": Phrase("Enter an age that is not below the first one."),
        "agesOfOthers": Phrase("Ages of the people who may find me"),
        "ageWrong": Phrase("Enter an age from {min} to {max}."),
        "birthDate": Phrase("Birth date"),
        "birthDateHint": Phrase("Eight digits, for example 20010520"),
        "birthDateWrong": Phrase("Enter a complete date that is not in the future."),
        "changePassword": Phrase("Change the password"),
        "chipAdded": Phrase("{word} was added."),
        "chipRemove": Phrase("Remove {word}"),
        "chipsLess": Phrase("Show fewer"),
        "chipsMore": Phrase("{count} more"),
        "chipRemoved": Phrase("{word} was removed."),
        "currentPassword": Phrase("Current password"),
        "dataFile": .Data.asFile,
        "dataShow": .Data.show,
        "decline": Phrase("Decline"),
        "email": Phrase("E-mail address"),
        "emailFree": Phrase("This address is available."),
        "emailTaken": Phrase("An account with this address already exists. Do you want to sign in?"),
        "emailSignIn": Phrase("Sign in with e-mail and password"),
        "emailIncomplete": Phrase("Is this address complete?"),
        "emailWrong": .Page.emailWrong,
        "addressVerified": Phrase("Your e-mail address is verified."),
        "codeHint": Phrase(
            "If {email} has an account, a message with a code comes. It is valid for 10 minutes."),
        "codeMissing": Phrase("Enter the code."),
        "codeNotSent": Phrase(
            """
            No new message was sent. You can ask for one from {time}. A code from an earlier message is \
            valid for 10 minutes.
            """),
        "female": .Data.female,
        "fieldInvalid": Phrase("Check this"),
        "fieldNeeded": Phrase("Needed"),
        "fieldTyping": Phrase("Not complete yet"),
        "fieldValid": Phrase("Valid"),
        "gender": Phrase("Gender"),
        "genderOther": .Data.otherGender,
        "interests": Phrase("Interests"),
        "groups": .Page.groups,
        "interestAdd": Phrase("Add"),
        "interestsDone": Phrase("Done"),
        "interestsAdd": Phrase("Press Enter or a comma after each one."),
        "interestsHint": Phrase("Add {count} more: press Enter or a comma after each."),
        "interestsMissing": Phrase("Add {count} more {count|interest|interests}."),
        "invitations": Phrase("Invitations", context: "received"),
        "leaveDelete": Phrase("Delete them"),
        "leaveForGood": Phrase("Delete my account"),
        "leaveHandOver": Phrase("Hand each one over to a host, if it has one"),
        "leaveMeetings": Phrase("Meetings that only you own"),
        "forgotPassword": Phrase("Forgot password?"),
        "mailCode": Phrase("Code from the mail"),
        "male": .Data.male,
        "nameMissing": Phrase("Enter a name."),
        "newPassword": Phrase("New password"),
        "nickname": .Page.nickname,
        "nicknameHint": Phrase("Strangers see this name when they meet you. It need not be your name."),
        "haveAccount": Phrase("Do you have an account?"),
        "noAccount": Phrase("No account yet?"),
        "notifications": Phrase("Mails"),
        "notSaid": Phrase("not stated"),
        "optional": Phrase("Optional"),
        "password": Phrase("Password"),
        "passwordChanged": Phrase("Your password was changed. You are signed out everywhere else."),
        "passwordHint": Phrase("At least 8 characters. A sentence is best."),
        "passwordMissing": Phrase("Enter your password."),
        "passwordShort": Phrase("Enter at least 8 characters."),
        "phone": Phrase("Phone"),
        "phoneCode": Phrase("Code from the phone"),
        "phoneCodeHint": Phrase(
            """
            If {phone} has an account or can get one, a message with a code comes. It is valid for 10 minutes.
            """),
        "phoneHint": Phrase("For example 010-1234-5678, or +49 30 123456 with a country's code"),
        "phoneMissing": Phrase("Enter your phone number."),
        "phoneWrong": Phrase(
            "Enter a mobile number such as 010-1234-5678, or a number with its country's code such as +49 30 "
                + "123456."),
        "phoneSignIn": Phrase("Sign in by phone"),
        "profile": Phrase("Profile"),
        "purpose": Phrase(
            """
            Run meetings: attendees check in with a QR code and answer your questions, and you watch both \
            live.
            """),
        "readTerms": Phrase("Read the terms"),
        "resetHint": Phrase(
            "Enter the e-mail address of your account. You get a code to choose a new password."),
        "searchable": Phrase("Fill in my nickname, interests and ages when I join a group of interest"),
        "searchableHint": Phrase(
            "Other people see this only after you join a group. You can change it when you join."),
        "sendAgain": Phrase("Send a new code"),
        "sendCode": Phrase("Send the code"),
        "setupToken": Phrase("Set-up token"),
        "setupTokenHint": Phrase(
            """
            The first account becomes the operator of this server. The server printed the token when it \
            started. The file setup-token in the data folder contains it, too.
            """),
        "setupTokenMissing": Phrase("Enter the set-up token."),
        "signIn": Phrase("Sign in"),
        "signInEnd": Phrase("Sign out there"),
        "signInEndOf": Phrase("Sign out on {device}"),
        "signInIsOver": Phrase("That device is signed out."),
        "signInWaits": Phrase(
            """
            If somebody in your network has sent wrong passwords, the check takes up to {seconds} s. Please \
            wait.
            """),
        "signIns": Phrase("Sign-ins"),
        "showPassword": Phrase("Show the password"),
        "signUp": Phrase("Sign up"),
        "signUpByInvitation": Phrase(
            "You need an invitation to sign up here. Open the link of your invitation."),
        "signUpClosed": Phrase("This server does not accept new accounts."),
        "stillNeeded": Phrase("Still needed: {names}."),
        "stillWrong": Phrase("To check: {names}."),
        "strangersHint": Phrase(
            """
            In a session with groups of interest, strangers see your interests, and your nickname when you \
            meet them. They never see your name, address, birth date or age.
            """),
        "step": Phrase("Step {step} of {steps}:"),
        "terms": Phrase("Terms"),
        "thisOne": Phrase("this device"),
        "typeEmailToLeave": Phrase("Enter {email} to delete the account"),
        "verifyAddress": Phrase("Verify your e-mail address"),
        "verifyHint": Phrase("You get a code by mail. It proves that this address is yours."),
        "wantsMails": Phrase("Send me mails of meetings: reminders, open feedback, changes"),
        "wantsMailsHint": Phrase("Codes and password resets are always sent."),
        "wantsMailsUnverified": Phrase("This takes effect after you verify your e-mail address."),
        "yourData": .Data.yourData,
        "yourName": .Page.name,
    ]
}
