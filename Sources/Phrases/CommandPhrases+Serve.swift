extension CommandPhrases {
    /// For whoever starts a server.
    package enum Serve {
        package static let summary = Phrase("Start the server", "서버를 시작합니다")
        package static let exampleHere = Phrase("for this machine only", "이 컴퓨터에서만")
        package static let exampleNetwork = Phrase("for phones on the same network", "같은 네트워크의 휴대폰에서")
        package static let exampleProxy = Phrase("behind a proxy that does TLS", "TLS를 맡는 프록시 뒤에서")
        package static let listen = Phrase("where to listen (default 127.0.0.1:8080)", "들을 주소 (기본 127.0.0.1:8080)")
        package static let data = Phrase("folder of the database (default {folder})", "데이터베이스 폴더 (기본 {folder})")
        package static let publicURL = Phrase(
            "what check-in URLs begin with (default: an address that phones can reach)", "체크인 주소의 앞부분 (기본: 휴대폰이 닿을 수 있는 주소)")
        package static let signUp = Phrase(
            "who may sign up (default invite: the first account is the operator's)", "가입 허용 범위 (기본 invite: 첫 계정이 운영자)")
        package static let loops = Phrase("threads for websockets (default 1)", "웹소켓 스레드 수 (기본 1)")
        package static let log = Phrase("one line a request (default text)", "요청마다 한 줄 (기본 text)")
        package static let demoSummary = Phrase(
            "Start a server with a sample meeting and simulated attendees, and watch it live", "표본 모임과 가상 참석자로 서버를 시작하고 실시간으로 봅니다")
        package static let demoLocal = Phrase("keep it to this machine", "이 컴퓨터에서만 엽니다")
        package static let demoHere = Phrase(
            "Only this machine can reach the server: phones cannot scan the code.", "이 컴퓨터만 서버에 닿을 수 있어 휴대폰으로 스캔할 수 없습니다.")
        package static let demoNetwork = Phrase(
            "Phones on the same network can reach the server at {url}. --local keeps it to this machine.",
            "같은 네트워크의 휴대폰이 {url}에서 서버에 닿을 수 있습니다. --local이면 이 컴퓨터에서만 엽니다.")
        package static let demoExample = Phrase("forty attendees in ten seconds, then end", "참석자 40명이 10초 동안, 그리고 종료")
        package static let cannotStart = Phrase("The server cannot start: {reason}", "서버를 시작할 수 없습니다: {reason}")
        package static let inUse = Phrase(
            "another server is using {folder}; stop it, or give another --data folder",
            "다른 서버가 {folder}를 쓰고 있습니다. 그것을 멈추거나 다른 --data 폴더를 주세요")
        package static let newer = Phrase(
            "{folder} was written by a newer QRing; start that version, or give another --data folder",
            "{folder}는 더 새로운 QRing이 쓴 것입니다. 그 버전을 시작하거나 다른 --data 폴더를 주세요")
    }
}
