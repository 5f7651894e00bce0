internal import Client
package import CommandLine
internal import Meetings
internal import Phrases
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
            ] + password, run: signUp),
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
            ], options: password, run: signIn),
        CommandDeclaration(
            "logout", Help.logout, examples: [.init("logout", Help.logoutExample)],
            options: [.value("email", "ADDRESS", Help.email)],
            run: signOut),
        CommandDeclaration(
            "whoami", Help.whoami, examples: [.init("whoami --json", Help.json)],
            options: [.json(of: AccountBody.self)], run: whoAmI),
        CommandDeclaration(
            "token list", Help.tokenList, examples: [.init("token list", Help.tokenListExample)],
            options: [.json(of: Page<SignInBody>.self)], run: listSignIns),
        CommandDeclaration(
            "token revoke", Help.tokenRevoke,
            examples: [.init("token revoke 01M7X9JCZD0KGT7Q6XKPEVTE5F", Help.tokenRevokeExample)],
            positionals: [.init("ID", Help.tokenID)], run: endSignIn),
    ]

    private static func signUp(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let client = try call.client()
        let email = try await call.asked("email", Messages.email, Messages.anEmail)
        let name = try await call.asked("name", Messages.name, Messages.aName)
        let password = try await call.password(twice: true)
        var account = NewAccount(
            email: email, password: password, name: name, locale: call.language.rawValue,
            invitation: call.arguments.value("invitation"))
        if let path = call.arguments.value("setup-token-file") {
            account.setupToken = try await call.firstLine(of: path)
        }
        let made = try await signUp(account, client, call)
        call.note(Messages.signedUp, ["email": made.email])
        if made.admin { call.note(Messages.operatorAccount) }
        try await signIn(call, client, email: made.email, password: password)
        if call.wantsJSON {
            call.json(made)
        } else {
            Following.show(call, [("meeting create NAME --now", Messages.nextCreate)])
        }
        return .success
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
        let token = try await calling { () async throws(APIError) in
            try await client.signIn(email: email, password: password, client: "qring \(ProductVersion.text)")
        }
        try call.update { settings in
            settings.server = client.server
            settings[client.server].save(SavedSignIn(email: email, token))
        }
        call.note(Messages.signedIn, ["email": email, "server": client.server.url])
        if !token.verified { call.note(Messages.notVerified) }
        return client.speaking(for: .bearer(token.accessToken))
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
            if case .unreachable(_, let detail) = error { reason = detail }
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

    private static func listSignIns(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let all = try await calling { () async throws(APIError) in try await host.signIns() }
        if call.wantsJSON {
            call.json(Page(items: all, nextCursor: nil))
        } else {
            for one in all {
                let parts = [
                    one.id, one.client, one.address, WallTime(one.createdAt, in: .current).text,
                    one.current ? call.text(Messages.thisSignIn) : "",
                ]
                call.out(TerminalEscaping.safe(parts.filter { !$0.isEmpty }.joined(separator: "  ")))
            }
        }
        return .success
    }

    private static func endSignIn(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let id = call.arguments.positional("ID") ?? ""
        try await calling { () async throws(APIError) in try await host.endSignIn(id) }
        call.note(Messages.signInEnded)
        return .success
    }

    private static func whoAmI(_ call: Invocation) async throws(CommandFailure) -> ExitCode {
        let host = try call.host()
        let account = try await calling { () async throws(APIError) in try await host.me() }
        if call.wantsJSON {
            call.json(account)
        } else {
            call.out(
                "\(TerminalEscaping.safe(account.name)) "
                    + "<\(TerminalEscaping.safe(account.email))>\n\(host.server.url)"
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
    static let signup = Phrase("create an account and sign in", "계정을 만들고 로그인")
    static let signupExample = Phrase("asks for the password", "비밀번호를 물음")
    static let passwordFromFile = Phrase("the password is the first line of the file", "파일의 첫 줄이 비밀번호")
    static let invitation = Phrase(
        "the invitation from the operator, if the server requires one",
        "운영자에게 받은 초대(초대가 필요한 서버에서)")
    static let setupTokenFile = Phrase(
        "for the first account: the file with the server's set-up token (default: the one in this "
            + "machine's data folder)",
        "첫 계정용: 서버의 설정 토큰이 든 파일(기본: 이 컴퓨터의 데이터 폴더에 있는 파일)")
    static let invite = Phrase("invite a person to sign up (operators only)", "가입 초대(운영자 전용)")
    static let inviteExample = Phrase("prints the command for the invited person", "초대받은 사람이 입력할 명령을 출력")
    static let login = Phrase("sign in", "로그인")
    static let logout = Phrase("sign out", "로그아웃")
    static let logoutExample = Phrase("ends the sign-in on the server, too", "서버에서도 로그아웃")
    static let tokenList = Phrase("list your sign-ins", "로그인한 기기 목록")
    static let tokenListExample = Phrase("id, device, address and time of each", "ID, 기기, 주소, 시각을 표시")
    static let tokenRevoke = Phrase("sign out on another device", "다른 기기에서 로그아웃")
    static let tokenRevokeExample = Phrase("ends its open pages, too", "그 기기에 열린 화면도 끝남")
    static let tokenID = Phrase("the id of a sign-in, as token list prints it", "token list가 출력한 로그인의 ID")
    static let whoami = Phrase("show the account that is signed in, and its server", "로그인한 계정과 서버 보기")
}

extension CommandPhrases.Messages {
    static let password = Phrase("Password: ", "비밀번호: ")
    static let passwordAgain = Phrase("Repeat the password: ", "비밀번호 다시 입력: ")
    static let aPassword = Phrase("a password", "비밀번호")
    static let invited = Phrase(
        "{email} can sign up until {time} with this command:",
        "{email} 님은 {time}까지 이 명령으로 가입할 수 있습니다:")
    static let signedIn = Phrase("Signed in at {server} as {email}.", "{server}에 {email} 계정으로 로그인했습니다.")
    static let notVerified = Phrase("The e-mail address is not verified yet.", "이메일이 아직 확인되지 않았습니다.")
    static let thisSignIn = Phrase("this computer", "현재 기기")
    static let signInEnded = Phrase("That device is signed out.", "그 기기에서 로그아웃했습니다.")
    static let signedOut = Phrase("Signed out at {server}.", "{server}에서 로그아웃했습니다.")
    static let noAnswer = Phrase("there was no answer in time", "제때 응답이 없었습니다")
    static let signedOutHere = Phrase(
        "You are signed out on this computer. Your sign-in may still exist on the server, because the "
            + "server could not be reached: {reason}",
        "이 컴퓨터에서는 로그아웃했습니다. 서버에 연결할 수 없어 서버에는 로그인이 남아 있을 수 있습니다: {reason}")
}

extension CommandPhrases.Fail {
    static let emptyPassword = Phrase("the password is empty.", "비밀번호가 비어 있습니다.")
}
