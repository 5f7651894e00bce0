extension CommandPhrases {
    /// What `qring admin doctor` says: a line for what is, and where it is not well, what mends it.
    package enum Doctor {
        package static let summary = Phrase(
            "say what is wrong with the set-up, and how to mend it", "설정의 문제와 고치는 법 알아보기")
        package static let example = Phrase("with the settings of the server", "서버와 같은 설정으로")
        package static let result = Phrase(
            "{ok} ok, {warn} warnings, {fail} failures", "정상 {ok}, 경고 {warn}, 실패 {fail}")

        package static let folder = Phrase("data folder {path}", "데이터 폴더 {path}")
        package static let folderNew = Phrase(
            "data folder {path}: made at the first start", "데이터 폴더 {path}: 처음 시작할 때 만듭니다")
        package static let folderOpen = Phrase(
            "data folder {path} is open to others (mode {mode})",
            "데이터 폴더 {path}을(를) 다른 사용자가 볼 수 있습니다 (모드 {mode})")
        package static let folderNotOurs = Phrase(
            "data folder {path} cannot be written to by this user", "이 사용자는 데이터 폴더 {path}에 쓸 수 없습니다")
        package static let folderIsFile = Phrase("{path} is no folder", "{path}은(는) 폴더가 아닙니다")
        package static let giveFolder = Phrase(
            "run it as the user that serves, or: {command}", "서버의 사용자로 실행하거나: {command}")
        package static let otherFolder = Phrase("give another --data folder", "다른 --data 폴더를 주세요")
        package static let run = Phrase("run: {command}", "실행: {command}")

        package static let files = Phrase("files are for their owner alone", "파일은 소유자만 읽을 수 있습니다")
        package static let fileOpen = Phrase(
            "{path} is open to others (mode {mode})", "{path}을(를) 다른 사용자가 볼 수 있습니다 (모드 {mode})")
        package static let fileOfAnother = Phrase(
            "{path} belongs to another user than its folder", "{path}의 소유자가 폴더와 다릅니다")
        package static let secret = Phrase("the server's secret is in its place", "서버의 비밀 키가 있습니다")
        package static let secretNew = Phrase(
            "the server's secret: made at the first start", "서버의 비밀 키: 처음 시작할 때 만듭니다")
        package static let secretMissing = Phrase(
            "there are data, and no secret at {path}", "데이터는 있는데 {path}에 비밀 키가 없습니다")
        package static let secretMissingMend = Phrase(
            "put the secret back, or restore a backup; no server starts without it",
            "비밀 키를 되돌리거나 백업을 복원하세요. 없으면 서버가 시작하지 않습니다")
        package static let secretSize = Phrase(
            "the secret at {path} has {bytes} bytes, not 32", "{path}의 비밀 키가 32바이트가 아니라 {bytes}바이트입니다")
        package static let restoreBackup = Phrase(
            "restore a backup: qring admin restore FILE --replace",
            "백업을 복원하세요: qring admin restore FILE --replace")

        package static let disk = Phrase("{free} free on the disk", "디스크 여유 {free}")
        package static let diskLow = Phrase("only {free} free on the disk", "디스크 여유가 {free}뿐입니다")
        package static let diskMend = Phrase(
            "free some, or move the folder; a full disk answers 503 and loses nothing",
            "공간을 비우거나 폴더를 옮기세요. 가득 차면 503으로 답하고 잃지는 않습니다")
        package static let diskReadOnly = Phrase(
            "the disk of {path} is mounted read-only", "{path}의 디스크가 읽기 전용입니다")
        package static let diskReadOnlyMend = Phrase(
            "mount it for writing, or give another --data folder", "쓰기로 마운트하거나 다른 --data 폴더를 주세요")

        package static let running = Phrase(
            "a server is running (process {process})", "서버가 실행 중입니다 (프로세스 {process})")
        package static let notRunning = Phrase("no server is running on this folder", "이 폴더를 쓰는 서버가 없습니다")
        package static let database = Phrase("database of schema {found}", "데이터베이스 스키마 {found}")
        package static let databaseNew = Phrase("database: made at the first start", "데이터베이스: 처음 시작할 때 만듭니다")
        package static let databaseOlder = Phrase(
            "database of schema {found}; the next start brings it to {known}, after a copy",
            "데이터베이스 스키마 {found}. 다음 시작 때 사본을 남기고 {known}(으)로 올립니다")
        package static let commits = Phrase("no acknowledged change is missing", "저장했다고 응답한 변경이 모두 있습니다")
        package static let commitsMend = Phrase(
            "ask the attendees of that time to check in again, or add them; then move the folder lost-… out "
                + "of the data folder",
            "그 시간의 참석자에게 다시 체크인을 부탁하거나 직접 추가한 뒤, lost-… 폴더를 데이터 폴더 밖으로 옮기세요")
        package static let databaseFails = Phrase("database: {reason}", "데이터베이스: {reason}")
        package static let verifyFirst = Phrase("run: qring admin verify", "실행: qring admin verify")

        package static let sqlite = Phrase("SQLite {version}", "SQLite {version}")
        package static let sqliteMend = Phrase("3.37 or newer is needed", "3.37 이상이 필요합니다")
        package static let plugin = Phrase(
            "libwebsockets can wait on libuv", "libwebsockets가 libuv를 쓸 수 있습니다")
        package static let pluginMissing = Phrase(
            "libwebsockets' libuv plug-in cannot be loaded", "libwebsockets의 libuv 플러그인을 불러올 수 없습니다")
        package static let pluginMend = Phrase(
            "install libwebsockets-evlib-uv", "libwebsockets-evlib-uv를 설치하세요")
        package static let openFiles = Phrase(
            "{count} files and connections may be open", "파일과 연결을 {count}개까지 열 수 있습니다")
        package static let openFilesMend = Phrase(
            "for large halls raise the hard limit to 65536: LimitNOFILE=65536 in the unit, or ulimit -Hn",
            "큰 행사라면 한도를 65536으로 올리세요: 유닛의 LimitNOFILE=65536 또는 ulimit -Hn")

        package static let listen = Phrase("{address} is free to listen on", "{address}에서 들을 수 있습니다")
        package static let listenRunning = Phrase(
            "{address} is in use, as the running server would have it", "{address}은(는) 실행 중인 서버가 쓰는 듯합니다")
        package static let listenBad = Phrase(
            "{address} is no address to listen on", "{address}은(는) 들을 주소가 아닙니다")
        package static let listenBadMend = Phrase(
            "give one such as 127.0.0.1:8080 or [::]:8080", "127.0.0.1:8080이나 [::]:8080처럼 주세요")
        package static let listenFails = Phrase("{reason}", "{reason}")
        package static let listenMend = Phrase(
            "stop what listens there, or give another --listen", "거기서 듣는 것을 멈추거나 다른 --listen을 주세요")
        package static let listenPrivilege = Phrase(
            "take a port from 1024 on, or give the binary CAP_NET_BIND_SERVICE",
            "1024 이상의 포트를 쓰거나 CAP_NET_BIND_SERVICE를 주세요")

        package static let url = Phrase("codes lead to {url}", "코드는 {url}(으)로 이어집니다")
        package static let urlBad = Phrase("{url} is no public URL", "{url}은(는) 공개 주소가 아닙니다")
        package static let urlBadMend = Phrase(
            "give one such as https://qring.example.org", "https://qring.example.org처럼 주세요")
        package static let urlLoopback = Phrase(
            "codes lead to {url}, which only this machine can reach", "코드가 {url}(으)로 이어지는데 이 컴퓨터만 닿을 수 있습니다")
        package static let urlLoopbackMend = Phrase(
            "give --listen 0.0.0.0:8080 for the network, or --public-url",
            "네트워크용으로 --listen 0.0.0.0:8080이나 --public-url을 주세요")
        package static let urlSilent = Phrase(
            "{url} does not answer from here: {reason}", "여기서 {url}이(가) 답하지 않습니다: {reason}")
        package static let urlSilentMend = Phrase(
            "look at the name, the proxy and the firewall; from inside some networks a public address is "
                + "never reached",
            "이름, 프록시, 방화벽을 살펴보세요. 안쪽에서는 공개 주소에 닿지 않는 네트워크도 있습니다")

        package static let clock = Phrase("the clock says {time}", "시계는 {time}입니다")
        package static let clockWrong = Phrase(
            "the clock says {time}, and cannot be right", "시계가 {time}인데 맞을 수 없습니다")
        package static let clockBehind = Phrase(
            "the clock says {time}; the newest event is of {newest}", "시계는 {time}인데 최신 이벤트는 {newest}입니다")
        package static let clockMend = Phrase(
            "set the clock, and keep it with NTP: timedatectl set-ntp true",
            "시계를 맞추고 NTP로 유지하세요: timedatectl set-ntp true")
        package static let zones = Phrase("time zones are known", "시간대를 압니다")
        package static let zonesMissing = Phrase(
            "this machine does not know {zones}", "이 컴퓨터가 {zones}을(를) 모릅니다")
        package static let zonesMend = Phrase("install tzdata", "tzdata를 설치하세요")
    }
}
