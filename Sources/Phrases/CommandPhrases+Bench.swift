extension CommandPhrases {
    /// For whoever measures.
    package enum Bench {
        package static let checkIn = Phrase(
            "measure durable check-ins, each another person by code", "코드로 들어오는 서로 다른 사람의 체크인을 측정")
        package static let checkInExample = Phrase("with many phones at once", "동시에 많은 휴대폰으로")
        package static let fanOut = Phrase(
            "measure telling each check-in to all watchers of a room", "체크인을 룸의 모든 시청자에게 알리는 비용을 측정")
        package static let storm = Phrase(
            "measure how soon watchers have the right count after a rush",
            "한꺼번에 몰린 뒤 시청자가 올바른 인원을 보기까지의 시간을 측정")
        package static let fanOutExample = Phrase("one change, told to 2,000 watchers", "변경 하나를 2,000명에게")
        package static let idleExample = Phrase("what 5,000 quiet watchers cost", "조용한 5,000명의 비용")
        package static let stormExample = Phrase("as one JSON object", "JSON 객체 하나로")
        package static let idle = Phrase(
            "measure the memory of idle watchers, and what an active one waits",
            "기다리기만 하는 시청자의 메모리와 활동하는 시청자의 지연을 측정")
        package static let seconds = Phrase("how long to measure, 0.2–60 (default 5)", "측정 시간, 0.2~60 (기본 5)")
        package static let stormSeconds = Phrase(
            "stop sending after that, 0.2–60 (default 60)", "이 시간이 지나면 보내기를 멈춤, 0.2~60 (기본 60)")
        package static let noWatchers = Phrase(
            "watchers in the session's room beside (default 0)", "회차 룸을 함께 보는 시청자 수 (기본 0)")
        package static let connections = Phrase(
            "HTTP connections, one request each at a time (default 64)", "HTTP 연결 수, 연결마다 요청 하나씩 (기본 64)")
        package static let watchers = Phrase(
            "watchers in the session's room (default 2000)", "회차 룸의 시청자 수 (기본 2000)")
        package static let idleWatchers = Phrase(
            "watchers in the session's room (default 5000)", "회차 룸의 시청자 수 (기본 5000)")
        package static let checkIns = Phrase("how many check in (default 10000)", "체크인 수 (기본 10000)")
        package static let rate = Phrase("check-ins a second (default 20)", "초당 체크인 수 (기본 20)")
        package static let against = Phrase(
            "alternate with another service on that port of this machine, and give the ratio",
            "이 컴퓨터의 그 포트에 있는 다른 서비스와 번갈아 측정하고 비율을 보여 줍니다"
        )
        package static let data = Phrase(
            "where the temporary database is made (default /var/tmp)", "임시 데이터베이스를 만들 곳 (기본 /var/tmp)")
        package static let log = Phrase("the server's log (default silent)", "서버 로그 (기본 silent)")
        package static let notes = Phrase(
            "It starts a server of its own on a temporary database, and removes both. Compare figures only "
                + "within one run of one machine: docs/benchmarks.md.",
            "임시 데이터베이스로 서버를 따로 시작하고 모두 지웁니다. 같은 컴퓨터에서 한 번에 측정한 값끼리만 비교하세요: docs/benchmarks.md")

        package static let items = Phrase("Count", "개수")
        package static let perSecond = Phrase("Rate", "속도")
        package static let latency = Phrase("Latency p50 / p99 / max", "지연 p50 / p99 / 최대")
        package static let settle = Phrase("Last watcher right after", "마지막 시청자까지")
        package static let serverCPU = Phrase("Server CPU each", "건당 서버 CPU")
        package static let generatorCPU = Phrase("Generator CPU each", "건당 측정기 CPU")
        package static let commits = Phrase("Commits × batch, time (of it commit)", "커밋 × 묶음, 시간 (그중 커밋)")
        package static let bytes = Phrase("Bytes a delivery", "전달당 바이트")
        package static let memoryPerWatcher = Phrase("Memory a watcher", "시청자당 메모리")
        package static let memory = Phrase("Server memory", "서버 메모리")
        package static let otherPerSecond = Phrase("The other's rate", "다른 쪽 속도")
        package static let ratio = Phrase("Ratio", "비율")
        package static let refusals = Phrase("Refused or lost", "거부되거나 잃은 수")

        package static let refused = Phrase(
            "{count} were refused or lost (first status {status}).", "{count}건이 거부되거나 없어졌습니다(첫 상태 {status}).")
        package static let noMeeting = Phrase(
            "the meeting could not be prepared: {reason}.", "모임을 준비할 수 없습니다: {reason}")
        package static let noCrowd = Phrase(
            "only {joined} of {count} watchers came in.", "시청자 {count}명 중 {joined}명만 들어왔습니다.")
        package static let system = Phrase("{call} failed: {reason}.", "{call} 실패: {reason}")
    }
}
