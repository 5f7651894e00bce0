extension CommandPhrases {
    /// For whoever starts a server.
    package enum Serve {
        package static let summary = Phrase("start the server", "서버 시작")
        package static let exampleHere = Phrase("for this machine only", "이 컴퓨터에서만")
        package static let exampleNetwork = Phrase("for phones on the same network", "같은 네트워크의 휴대폰에서")
        package static let exampleProxy = Phrase("behind a proxy that does TLS", "TLS를 맡는 프록시 뒤에서")
        package static let listen = Phrase(
            "where to listen (default 127.0.0.1:8080)", "들을 주소 (기본 127.0.0.1:8080)")
        package static let data = Phrase(
            "folder of the database (default ~/.local/share/qring)", "데이터베이스 폴더 (기본 ~/.local/share/qring)")
        package static let publicURL = Phrase(
            "what check-in URLs begin with (default: an address that phones can reach)",
            "체크인 주소의 앞부분 (기본: 휴대폰이 닿을 수 있는 주소)")
        package static let importFrom = Phrase(
            "import files of questions from these addresses, too, though they are private",
            "사설 주소라도 이 주소에서는 질문 파일을 가져오기")
        package static let trustedProxy = Phrase(
            "proxies whose X-Forwarded-… headers are believed: a network, an address, or loopback; may be "
                + "repeated",
            "X-Forwarded-… 헤더를 믿을 프록시: 네트워크, 주소 또는 loopback. 여러 번 쓸 수 있음")
        package static let connectionsPerAddress = Phrase(
            "connections one address may hold, proxies apart (default 10000)",
            "한 주소가 가질 수 있는 연결 수, 프록시 제외 (기본 10000)")
        package static let metricsListen = Phrase(
            "serve /metrics there, alone, instead of to this machine only",
            "/metrics를 이 컴퓨터에만 보이는 대신 이 주소에서 따로 제공")
        package static let signUp = Phrase(
            "who may sign up (default invite: the first account is the operator's)",
            "가입 허용 범위 (기본 invite: 첫 계정이 운영자)")
        package static let terms = Phrase(
            "a text file of terms that who signs up must accept (default: ours)",
            "가입할 때 동의해야 하는 약관 파일 (기본: 기본 약관)")
        package static let termsNotReadable = Phrase(
            "{file} is not a text in UTF-8 of at most 100,000 characters.",
            "{file}은(는) 10만 자 이하의 UTF-8 텍스트가 아닙니다.")
        package static let interests = Phrase(
            "how many interests the sign-up page asks for, 0 to 20 (default 3)",
            "가입 화면이 물어볼 관심사 수, 0~20 (기본 3)")
        package static let loops = Phrase("threads for websockets (default 1)", "웹소켓 스레드 수 (기본 1)")
        package static let log = Phrase("one line a request (default text)", "요청마다 한 줄 (기본 text)")
        package static let logFile = Phrase(
            "append the log to this file; SIGHUP reopens it (default: standard error)",
            "로그를 이 파일에 추가합니다. SIGHUP을 받으면 파일을 다시 엽니다(기본: 표준 오류).")
        package static let demoSummary = Phrase(
            "start a server with a sample meeting and simulated attendees, and watch it live",
            "표본 모임과 모의 참석자로 서버를 시작하고 실시간으로 보기")
        package static let demoLocal = Phrase("keep it to this machine", "이 컴퓨터에서만 엽니다")
        package static let demoListen = Phrase(
            "where to listen (default 0.0.0.0:8080, with --local 127.0.0.1:8080)",
            "들을 주소 (기본 0.0.0.0:8080, --local이면 127.0.0.1:8080)")
        package static let demoHere = Phrase(
            "Only this machine can reach the server: phones cannot scan the code.",
            "이 컴퓨터만 서버에 닿을 수 있어 휴대폰으로 스캔할 수 없습니다.")
        package static let demoNetwork = Phrase(
            "Phones on the same network can reach the server at {url}. --local keeps it to this machine.",
            "같은 네트워크의 휴대폰이 {url}에서 서버에 닿을 수 있습니다. --local이면 이 컴퓨터에서만 엽니다.")
        package static let demoExample = Phrase(
            "forty attendees in ten seconds, then end", "참석자 40명이 10초 동안, 그리고 종료")
        package static let cannotStart = Phrase(
            "The server cannot start: {reason}", "서버를 시작할 수 없습니다: {reason}")
        package static let inUse = Phrase(
            "another server is using {folder}; stop it, or give another --data folder",
            "다른 서버가 {folder}를 쓰고 있습니다. 그것을 멈추거나 다른 --data 폴더를 주세요")
        package static let newer = Phrase(
            "{folder} was written by a newer QRing (schema {found}, this one knows {known}); start that "
                + "version, or restore a backup from before",
            "{folder}는 더 새로운 QRing이 쓴 것입니다(스키마 {found}, 이 버전은 {known}까지). 그 버전을 시작하거나 이전 백업을 복원하세요")
        package static let damaged = Phrase(
            "the database in {folder} is damaged ({detail}); keep a copy of the folder, look at it with "
                + "qring admin verify, and restore a backup",
            "{folder}의 데이터베이스가 손상되었습니다({detail}). 폴더를 복사해 두고 qring admin verify로 살펴본 뒤 백업을 복원하세요")
        package static let databaseLost = Phrase(
            "journal.db in {folder} is missing or empty, but these files belong to one: {found}. Nothing "
                + "was changed. Put journal.db back, with the "
                + "journal.db-wal that belongs to it, or restore a backup. To start anew, move the folder "
                + "away first: mv {folder} {folder}.old",
            "{folder}의 journal.db가 없거나 비어 있는데, 이 데이터베이스에 속한 파일이 남아 있습니다: {found}. 아무것도 바꾸지 않았습니다. "
                + "journal.db를 짝이 되는 "
                + "journal.db-wal과 함께 제자리에 되돌리거나 백업을 복원하세요. 새로 시작하려면 먼저 폴더를 옮기세요: mv {folder} {folder}.old")
        package static let secretLost = Phrase(
            "the file secret in {folder} is missing, and without it every code, grant and receipt is void. "
                + "Nothing was changed. Put the file back, or "
                + "restore a backup, which holds it. To give them up, make a new one: (umask 077; head -c "
                + "32 /dev/urandom > {folder}/secret)",
            "{folder}의 secret 파일이 없습니다. 이 파일이 없으면 모든 코드와 영수증이 무효가 됩니다. 아무것도 바꾸지 않았습니다. 파일을 제자리에 되돌리거나, 이 파일이 "
                + "들어 있는 백업을 복원하세요. 코드와 영수증을 포기하려면 새로 만드세요: (umask 077; head -c 32 /dev/urandom > "
                + "{folder}/secret)"
        )
        package static let tooManyLosses = Phrase(
            "commits are missing again, and the copies of earlier losses are still there ({copies}). Check "
                + "the disk, "
                + "store the copies elsewhere, move "
                + "them out of the folder, and start again. Nothing was overwritten.",
            "커밋이 또 사라졌는데 이전 손실의 사본이 아직 남아 있습니다({copies}). 디스크를 점검하고 사본을 폴더 밖에 보관한 뒤 다시 시작하세요. "
                + "아무것도 덮어쓰지 않았습니다.")
        package static let foreign = Phrase(
            "journal.db in {folder} belongs to another program; give another --data folder",
            "{folder}의 journal.db는 다른 프로그램의 것입니다. 다른 --data 폴더를 주세요")
        package static let isBackup = Phrase(
            "journal.db in {folder} is a backup, which is not served from; move it out of the folder and "
                + "restore it",
            "{folder}의 journal.db는 백업이라 그대로 쓸 수 없습니다. 폴더 밖으로 옮긴 뒤 복원하세요")
        package static let restoreUnfinished = Phrase(
            "a restore into {folder} was interrupted; restore again, and the files from before stay in "
                + "{folder}/replaced-…",
            "{folder}로의 복원이 중단되었습니다. 다시 복원하세요. 이전 파일은 {folder}/replaced-…에 있습니다")
        package static let readOnly = Phrase(
            "{folder} cannot be written to ({detail}); make it writable for this user, or give another "
                + "--data folder",
            "{folder}에 쓸 수 없습니다({detail}). 이 사용자가 쓸 수 있게 하거나 다른 --data 폴더를 주세요")
        package static let full = Phrase(
            "there is no room on the disk of {folder} ({detail}); free some, or raise the quota or the "
                + "limit on file sizes, and start again",
            "{folder}의 디스크에 공간이 없습니다({detail}). 공간을 비우거나 할당량 또는 파일 크기 한도를 늘리고 다시 시작하세요")
        package static let inputOutput = Phrase(
            "{folder} cannot be read or written ({detail}); look at the path, the rights and the disk",
            "{folder}를 읽거나 쓸 수 없습니다({detail}). 경로와 권한, 디스크를 살펴보세요")

        package static let epochOlder = Phrase(
            "The data are older than they were by {commits} commits, as after a copy was put back. Clients "
                + "are told to begin anew.",
            "데이터가 이전보다 {commits}번의 커밋만큼 오래되었습니다(사본을 되돌린 경우). 클라이언트는 처음부터 다시 받습니다.")
        package static let epochMarkMissing = Phrase(
            "journal.mark is missing, so these data may be an older copy. Clients are told to begin anew.",
            "journal.mark가 없어 오래된 사본일 수 있습니다. 클라이언트는 처음부터 다시 받습니다.")
        package static let epochMarkOfAnother = Phrase(
            "journal.mark belongs to other data, so these may be an older copy. Clients are told to begin "
                + "anew.",
            "journal.mark가 다른 데이터의 것이라 오래된 사본일 수 있습니다. 클라이언트는 처음부터 다시 받습니다.")
        package static let epochCopied = Phrase(
            "The folder was copied or its files were touched since it was served, so the data may be older. "
                + "Clients are told to begin anew.",
            "폴더가 복사되었거나 파일이 바뀌어 오래된 데이터일 수 있습니다. 클라이언트는 처음부터 다시 받습니다.")
    }
}
