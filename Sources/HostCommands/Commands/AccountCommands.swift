internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

package enum AccountCommands {
    private typealias Help = CommandPhrases.Help
    private typealias Messages = CommandPhrases.Messages

    private static let password = [
        CommandDeclaration.Option.value("email", "ADDRESS", Help.email),
        .value("password-file", "FILE", Help.passwordFile), .json(of: AccountBody.self),
    ]

    package static let all = [
        CommandDeclaration(
            "signup", Help.signup,
            examples: [
                .init("signup --email kim@example.org --name \"Kim Minji\"", Help.signupExample),
                .init(
                    "signup --email kim@example.org --name Kim --password-file secret.txt",
                    Help.passwordFromFile),
            ],
            options: [
                .value("name", "NAME", Help.accountName), .value("invitation", "TEXT", Help.invitation),
                .value("setup-token-file", "FILE", Help.setupTokenFile),
            ] + ProfileCommands.options + password, run: signUp),
        CommandDeclaration(
            "invite", Help.invite, examples: [.init("invite lee@example.org", Help.inviteExample)],
            positionals: [.init("EMAIL", Help.email)], options: [.json(of: InvitationBody.self)],
            run: invite),
        CommandDeclaration(
            "login", Help.login,
            examples: [
                .init("login --email kim@example.org", Help.signupExample),
                .init(
                    "login --server https://qring.example.org --email kim@example.org --password-file -",
                    Help.passwordFile),
                .init("login --phone 010-1234-5678", Help.phoneExample),
            ],
            options: password + [
                .value("phone", "NUMBER", Help.phone), .value("code", "CODE", Help.phoneCode),
                .value("name", "NAME", Help.accountName),
            ], run: signIn),
        CommandDeclaration(
            "logout", Help.logout, examples: [.init("logout", Help.logoutExample)],
            options: [.value("email", "ADDRESS", Help.email)],
            run: signOut),
        CommandDeclaration(
            "whoami", Help.whoami, examples: [.init("whoami --json", Help.json)],
            options: [.json(of: AccountBody.self)], run: whoAmI),
        CommandDeclaration(
            "verify", Help.verify, examples: [.init("verify --email kim@example.org", Help.verifyExample)],
            options: [.value("email", "ADDRESS", Help.email), .value("code", "CODE", Help.mailCode)],
            run: verify),
        CommandDeclaration(
            "password reset", Help.passwordReset,
            examples: [.init("password reset --email kim@example.org", Help.passwordResetExample)],
            options: [
                .value("email", "ADDRESS", Help.email), .value("code", "CODE", Help.mailCode),
                .value("password-file", "FILE", Help.passwordFile),
            ], run: resetPassword),
        CommandDeclaration(
            "account delete", Help.accountDelete,
            examples: [.init("account delete --hand-over", Help.accountDeleteExample)],
            options: [
                .value("password-file", "FILE", Help.passwordFile), .value("code", "CODE", Help.phoneCode),
                .flag("hand-over", Help.handOver), .value("confirm", "ADDRESS", Help.confirmAddress), .yes,
            ], run: deleteAccount),
    ]

    private static func signUp(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        try await requireSignUp(at: client, call)
        let email = try await call.asked("email", Messages.email, Messages.anEmail)
        let name = try await call.asked("name", Messages.name, Messages.aName)
        let password = try await call.password(twice: true)
        var account = NewAccount(
            email: email, password: password, name: name, locale: call.language.rawValue,
            invitation: call.arguments.value("invitation"))
        let profile = try ProfileCommands.profile(call)
        (account.birthDate, account.phone) = (profile.birthDate, profile.phone)
        (account.gender, account.interests) = (profile.gender, profile.interests)
        if let path = call.arguments.value("setup-token-file") {
            account.setupToken = try await call.firstLine(of: path)
        }
        let made = try await signUp(account, client, call)
        call.note(Messages.signedUp, ["email": made.email])
        if let handle = made.codeHandle { try save(handle, of: email, for: "verify", client, call) }
        if made.admin { call.note(Messages.operatorAccount) }
        try await signIn(call, client, email: made.email, password: password)
        if call.wantsJSON {
            call.json(made)
        } else {
            Following.show(call, [("meeting create NAME --now", Messages.nextCreate)])
        }
        return .success
    }

    /// Refuses the sign-up before the first question if there is no server, or if it accepts no new account.
    private static func requireSignUp(at client: APIClient, _ call: Invocation) async throws(CommandFailure) {
        let terms = try await calling { () async throws(APIError) in try await client.signUpTerms() }
        let isInvited = call.arguments.value("invitation") != nil
        guard !terms.isFirst, terms.signUp == "closed" || terms.signUp == "invite" && !isInvited else {
            return
        }
        throw .api(.problem(Problem(code: .signUpClosed, in: call.language)))
    }

    /// Creates an account on the server. If the server requires a set-up token and runs on this machine, this
    /// function sends the token from the data folder. It never sends the token to another machine.
    private static func signUp(
        _ account: NewAccount, _ client: APIClient, _ call: Invocation
    ) async throws(CommandFailure) -> AccountBody {
        do throws(APIError) {
            return try await client.signUp(account)
        } catch {
            guard error.code == .setupTokenRequired, account.setupToken == nil, client.server.isThisMachine,
                let bytes = try? FileBytes.read("\(call.dataFolderPath)/\(setupTokenFileName)")
            else { throw .api(error) }
            var account = account
            account.setupToken = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            return try await calling { [account] () async throws(APIError) in try await client.signUp(account)
            }
        }
    }

    private static func invite(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let email = call.arguments.positional("EMAIL") ?? ""
        let made = try await calling { () async throws(APIError) in try await host.invite(email: email) }
        if call.wantsJSON {
            call.json(made)
        } else {
            call.note(
                Messages.invited, ["email": made.email, "time": WallTime(made.expiresAt, in: .current).text])
            call.out(
                "qring signup --server \(host.server.url) --email \(made.email) --invitation "
                    + "\(made.invitation)"
            )
        }
        return .success
    }

    private static func signIn(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        if let phone = call.arguments.value("phone") { return try await signIn(call, phone: phone) }
        let email = try await call.asked("email", Messages.email, Messages.anEmail)
        let password = try await call.password(twice: false)
        let signedIn = try await signIn(call, try call.client(), email: email, password: password)
        if call.wantsJSON {
            call.json(try await calling { () async throws(APIError) in try await signedIn.me() })
        }
        return .success
    }

    @discardableResult
    private static func signIn(
        _ call: Invocation, _ client: APIClient, email: String, password: String
    ) async throws(CommandFailure) -> APIClient {
        let mark = try call.settings()[client.server].mark(email: email)
        // The server answers late only if strangers behind the same address have sent wrong passwords.
        let late = Task {
            try await Task.sleep(for: .seconds(2))
            call.note(Messages.signInWaits)
        }
        defer { late.cancel() }
        let token = try await calling { () async throws(APIError) in
            try await client.signIn(
                email: email, password: password, client: "qring \(ProductVersion.text)", mark: mark)
        }
        return try save(token, of: email, call, client)
    }

    /// Stores the tokens for later commands. Returns a client that uses them.
    private static func save(
        _ token: TokenBody, of address: String, _ call: Invocation, _ client: APIClient
    ) throws(CommandFailure) -> APIClient {
        try call.update { settings in
            settings.server = client.server
            settings[client.server].save(SavedSignIn(email: address, token))
            if let mark = token.mark { settings[client.server].save(mark: mark, email: address) }
        }
        call.note(Messages.signedIn, ["email": address, "server": client.server.url])
        if !token.verified { call.note(Messages.notVerified) }
        return client.speaking(for: .bearer(token.accessToken))
    }

    private static func signIn(_ call: Invocation, phone: String) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        guard let code = try await phoneCode(call, phone, client) else { return .success }
        let name = call.arguments.value("name")
        let token = try await code.show { code async throws(APIError) in
            try await client.signIn(
                phone: phone, code, name: name, client: "qring \(ProductVersion.text)")
        }
        let signedIn = try save(token.token, of: PhoneNumber.normalized(phone) ?? phone, call, client)
        if token.isNewAccount { call.note(Messages.newAccount) }
        if call.wantsJSON {
            call.json(try await calling { () async throws(APIError) in try await signedIn.me() })
        }
        return .success
    }

    /// Returns the code from `--code`, or requests one as `code` does.
    private static func phoneCode(
        _ call: Invocation, _ phone: String, _ client: APIClient
    ) async throws(CommandFailure) -> GivenCode? {
        try await code(
            call, client, PhoneNumber.normalized(phone) ?? phone, for: "phone", Messages.phoneCodeSent
        ) {
            () async throws(APIError) in
            try await client.requestPhoneCode(phone: phone)
        }
    }

    static func address(of account: AccountBody) -> String {
        account.signsInByPhone == true ? account.phone ?? "" : account.email
    }

    private static func deleteAccount(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let account = try await calling { () async throws(APIError) in try await host.me() }
        var code: GivenCode?
        var password = ""
        if account.signsInByPhone == true {
            code = try await phoneCode(call, account.phone ?? "", host)
            guard code != nil else { return .success }
        } else {
            password = try await call.password(twice: false)
        }
        let handsOver = call.arguments.has("hand-over")
        let address = address(of: account)
        try await Deletion.confirmed(
            call, address, data: Deletion.ofAccount, name: address, again: "account delete",
            Messages.meetingsWouldGo
        ) { [code, password] (confirmation) async throws(APIError) in
            func delete(_ proof: DeletionProof) async throws(APIError) {
                try await host.deleteAccount(proof: proof, handingOver: handsOver, confirm: confirmation)
            }
            guard let code else { return try await delete(.password(password)) }
            try await code.tried { code async throws(APIError) in try await delete(.code(code)) }
        }
        try call.update { $0[host.server].forget(email: address) }
        return .success
    }

    private static func signOut(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let server = try call.server()
        let saved = try call.settings()[server]
        guard let signIn = saved.signIn(email: call.arguments.value("email")) else {
            throw .said(.notAllowed, CommandPhrases.Fail.notSignedIn, ["server": server.url], next: nil)
        }
        // The client renews an expired sign-in first, because the server accepts only a valid token to end a
        // sign-in.
        let keeper = SignInKeeper(signIn, reload: { nil }, save: { _ in })
        let client = try call.client(.signIn(keeper), at: server)
        var reason: String?
        do throws(APIError) {
            try await client.signOut()
        } catch {
            // Delete the sign-in from this machine even if the sign-in has expired on the server, or if the
            // server cannot be reached.
            if case .unreachable(_, let detail) = error {
                reason = CommandPhrases.Fail.reason(detail, in: call.language)
            }
            if case .timedOut = error { reason = call.text(Messages.noAnswer) }
        }
        try call.update { $0[server].forget(email: signIn.email) }
        if let reason {
            call.note(Messages.signedOutHere, ["reason": reason])
        } else {
            call.note(Messages.signedOut, ["server": server.url])
        }
        return .success
    }

    private static func verify(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        let email = try await call.asked("email", Messages.email, Messages.anEmail)
        let code = try await code(call, client, email, for: "verify", Messages.codeSent) {
            () async throws(APIError) in
            try await client.requestVerification(email: email)
        }
        guard let code else { return .success }
        try await code.show { code async throws(APIError) in try await client.verify(email: email, code) }
        call.note(Messages.verified, ["email": email])
        return .success
    }

    private static func resetPassword(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        let email = try await call.asked("email", Messages.email, Messages.anEmail)
        let code = try await code(call, client, email, for: "reset", Messages.codeSent) {
            () async throws(APIError) in
            try await client.requestPasswordReset(email: email)
        }
        guard let code else { return .success }
        let password = try await call.password(twice: true)
        try await code.show { code async throws(APIError) in
            try await client.resetPassword(email: email, code, to: password)
        }
        call.note(Messages.passwordWasReset, ["email": email])
        try await signIn(call, client, email: email, password: password)
        return .success
    }

    /// Returns the code from `--code`. Without it, requests a message, and then asks the person for the code.
    /// Returns nil if there is no terminal to ask; the person then gives `--code` in a second run, which
    /// finds the saved handle of the first one.
    private static func code(
        _ call: Invocation, _ client: APIClient, _ address: String, for purpose: String, _ sent: Phrase,
        _ request: @escaping @Sendable () async throws(APIError) -> CodeSentBody
    ) async throws(CommandFailure) -> GivenCode? {
        func handles() throws(CommandFailure) -> [String] {
            try call.settings()[client.server].handles(for: address, purpose: purpose, at: SystemTime.now)
        }
        if let given = call.arguments.value("code") { return GivenCode(code: given, handles: try handles()) }
        let answer = try await calling(request)
        if let handle = answer.handle {
            try save(handle, of: address, for: purpose, client, call)
            call.note(sent, ["address": address])
        } else {
            call.note(
                Messages.codeNotSent, ["time": WallTime(answer.nextMessageAt, in: .current).text])
        }
        guard call.mayAsk else { return nil }
        let typed = try await call.asked("code", Messages.typedCode, Messages.aCode)
        return GivenCode(code: typed, handles: try handles())
    }

    /// Saves the handle of a requested code, for the run that shows the code.
    private static func save(
        _ handle: String, of address: String, for purpose: String, _ client: APIClient, _ call: Invocation
    ) throws(CommandFailure) {
        let saved = SavedHandle(address: address, purpose: purpose, handle: handle, savedAt: SystemTime.now)
        try call.update { $0[client.server].save(saved) }
    }

    /// A typed code, and the handles of the messages from which it may come, the newest first.
    private struct GivenCode: Sendable {
        let code: String
        let handles: [String]

        /// Calls `send` with each handle until the code is right, and at last without a handle.
        func tried<Value>(_ send: (TypedCode) async throws(APIError) -> Value) async throws(APIError) -> Value
        {
            for handle in handles {
                do throws(APIError) {
                    return try await send(TypedCode(code, handle: handle))
                } catch  where error.code == .confirmationCodeNotValid {
                    continue
                }
            }
            return try await send(TypedCode(code))
        }

        func show<Value>(_ send: (TypedCode) async throws(APIError) -> Value) async throws(CommandFailure)
            -> Value
        {
            try await calling { () async throws(APIError) in try await tried(send) }
        }
    }

    private static func whoAmI(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let account = try await calling { () async throws(APIError) in try await host.me() }
        if call.wantsJSON {
            call.json(account)
        } else {
            call.out(
                "\(TerminalEscaping.safe(account.name)) "
                    + "<\(TerminalEscaping.safe(address(of: account)))>\n\(host.server.url)"
            )
            if account.admin { call.note(Messages.operatorAccount) }
            if !account.verified { call.note(Messages.notVerified) }
        }
        return .success
    }
}

extension Invocation {
    /// Returns the password from `--password-file`, or reads it from the terminal without showing it. No
    /// option accepts the password itself, because other users of the machine can read command lines.
    package func password(twice: Bool) async throws(CommandFailure) -> String {
        typealias Messages = CommandPhrases.Messages
        if let path = arguments.value("password-file") {
            let line = try await firstLine(of: path)
            guard !line.isEmpty else { throw .failed(CommandPhrases.Fail.emptyPassword) }
            return line
        }
        let password = try await asked("password-file", Messages.password, Messages.aPassword, hidden: true)
        guard !password.isEmpty else { throw .failed(CommandPhrases.Fail.emptyPassword) }
        if twice,
            try await asked("password-file", Messages.passwordAgain, Messages.aPassword, hidden: true)
                != password
        {
            throw .failed(CommandPhrases.Fail.passwordsDiffer)
        }
        return password
    }

    /// Returns the first line of a file, or of standard input if `path` is `-`.
    func firstLine(of path: String) async throws(CommandFailure) -> String {
        String(String(decoding: try await contents(of: path), as: UTF8.self).prefix { !$0.isNewline })
    }
}

extension CommandPhrases.Help {
    static let signup = Phrase("create an account and sign in")
    static let signupExample = Phrase("asks for the password")
    static let passwordFromFile = Phrase("the password is the first line of the file")
    static let invitation = Phrase("the invitation from the operator, if the server requires one")
    static let setupTokenFile = Phrase(
        "for the first account: the file with the server's set-up token (default: the one in this "
            + "machine's data folder)")
    static let invite = Phrase("invite a person to sign up (operators only)")
    static let inviteExample = Phrase("prints the command for the invited person")
    static let login = Phrase("sign in")
    static let logout = Phrase("sign out")
    static let logoutExample = Phrase("ends the sign-in on the server, too")
    static let verify = Phrase("verify your e-mail address by a code")
    static let verifyExample = Phrase("sends a mail, then asks for its code")
    static let mailCode = Phrase("the code from the mail; without it, a mail is sent")
    static let passwordReset = Phrase("choose a new password if you forgot the old one")
    static let passwordResetExample = Phrase("sends a mail, then asks for its code and the new password")
    static let phone = Phrase("sign in by a code on this phone")
    static let phoneExample = Phrase("sends a code, then asks for it")
    static let phoneCode = Phrase("the code from the phone; without it, a code is sent")
    static let accountDelete = Phrase("delete your account")
    static let accountDeleteExample = Phrase("hands your meetings over to their hosts")
    static let handOver = Phrase("hand meetings that only you own over to a host, if they have one")
    static let confirmAddress = Phrase("your address, if meetings would be deleted")
    static let whoami = Phrase("show the account that is signed in, and its server")
}

extension CommandPhrases.Messages {
    static let password = Phrase("Password: ")
    static let passwordAgain = Phrase("Repeat the password: ")
    static let aPassword = Phrase("a password")
    static let invited = Phrase("{email} can sign up until {time} with this command:")
    static let signInWaits = Phrase(
        "If somebody in your network has sent wrong passwords, the check takes up to 40 s. Please wait.")
    static let signedIn = Phrase("Signed in at {server} as {email}.")
    static let notVerified = Phrase("The e-mail address is not verified yet. Run: qring verify")
    static let codeSent = Phrase(
        "If {address} has an account, a message with a code comes. It is valid for 10 minutes.")
    static let codeNotSent = Phrase(
        "No new message was sent. You can ask for one from {time}. A code from an earlier message is valid "
            + "for 10 minutes.")
    static let phoneCodeSent = Phrase(
        "If {address} has an account or can get one, a message with a code comes. It is valid for "
            + "10 minutes.")
    static let newAccount = Phrase("A new account was created for this number.")
    static let meetingsWouldGo = Phrase(
        "Meetings that only you own would be deleted. To confirm, enter {name}.")
    static let typedCode = Phrase("Code: ")
    static let aCode = Phrase("the code")
    static let verified = Phrase("{email} is verified.")
    static let passwordWasReset = Phrase("{email} has a new password. All other sign-ins have ended.")
    static let signedOut = Phrase("Signed out at {server}.")
    static let noAnswer = Phrase("there was no answer in time")
    static let signedOutHere = Phrase(
        "You are signed out on this computer. Your sign-in may still exist on the server, because the "
            + "server could not be reached: {reason}")
}

extension CommandPhrases.Fail {
    static let emptyPassword = Phrase("the password is empty.")
}
