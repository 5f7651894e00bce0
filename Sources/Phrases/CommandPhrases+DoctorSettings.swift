/// What the doctor says of a server's flags.
extension CommandPhrases.Doctor {
    package static let setting = Phrase("{reason}", "{reason}")
    package static let settingMend = Phrase(
        "no server starts with it: mend {flag} or {variable}",
        "이대로는 서버가 시작하지 않습니다. {flag} 또는 {variable}을(를) 고치세요")

    package static let proxy = Phrase("proxies are believed from {ranges}", "{ranges}의 프록시를 믿습니다")
    package static let proxyTooWide = Phrase(
        "proxies are believed from {ranges}: anybody there can say to be any other address",
        "{ranges}의 프록시를 믿습니다. 그 안의 누구나 다른 주소인 척할 수 있습니다")
    package static let proxyTooWideMend = Phrase(
        "name your proxies alone: --trusted-proxy loopback, 10.0.0.5 or a network of theirs",
        "자신의 프록시만 지정하세요: --trusted-proxy loopback, 10.0.0.5 또는 프록시의 네트워크")
    package static let proxyMissing = Phrase(
        "{url} needs a proxy for TLS, and none is trusted: everybody seems to come from its address, and "
            + "shares one limit",
        "{url}에는 TLS를 맡는 프록시가 필요한데 믿는 프록시가 없습니다. 모두가 프록시의 주소로 보여 한도를 나눠 씁니다")
    package static let proxyMissingMend = Phrase(
        "give --trusted-proxy with the proxy's address; on this machine --trusted-proxy loopback",
        "프록시의 주소를 --trusted-proxy로 주세요. 이 컴퓨터라면 --trusted-proxy loopback")
    package static let proxyWithoutURL = Phrase(
        "behind a proxy, codes that rooms show may lead to an address that phones cannot reach",
        "프록시 뒤에서는 화면의 코드가 휴대폰이 닿을 수 없는 주소로 이어질 수 있습니다")
    package static let proxyWithoutURLMend = Phrase(
        "give --public-url, such as https://qring.example.org",
        "https://qring.example.org처럼 --public-url을 주세요")
    package static let proxyOutOfReach = Phrase(
        "{address} is reached from this machine alone, and the proxies of {ranges} are elsewhere",
        "{address}에는 이 컴퓨터만 닿을 수 있는데 {ranges}의 프록시는 다른 곳에 있습니다")
    package static let proxyOutOfReachMend = Phrase(
        "listen where they reach it, or give --trusted-proxy loopback",
        "프록시가 닿는 주소에서 듣거나 --trusted-proxy loopback을 주세요")
    package static let besideProxy = Phrase(
        "{address} can be reached past the proxy, without TLS", "{address}에는 프록시를 거치지 않고 TLS 없이 닿을 수 있습니다")
    package static let besideProxyMend = Phrase(
        "give --listen 127.0.0.1:{port}, as the proxy is on this machine",
        "프록시가 이 컴퓨터에 있으니 --listen 127.0.0.1:{port}을(를) 주세요")

    package static let metrics = Phrase("metrics at {address}", "메트릭은 {address}")
    package static let metricsPublic = Phrase(
        "metrics at {address} are for everybody who reaches it", "{address}의 메트릭은 닿을 수 있는 누구에게나 보입니다")
    package static let metricsPublicMend = Phrase(
        "give an inside address, such as --metrics-listen 127.0.0.1:9090, or let a firewall say who reaches "
            + "it",
        "--metrics-listen 127.0.0.1:9090처럼 내부 주소를 주거나 방화벽으로 막으세요")
    package static let metricsSame = Phrase(
        "{address} is for the server and for metrics", "{address}을(를) 서버와 메트릭이 함께 쓰려 합니다")
    package static let metricsSameMend = Phrase(
        "give --metrics-listen a port of its own", "--metrics-listen에 다른 포트를 주세요")

    package static let connections = Phrase("{count} connections an address", "주소마다 연결 {count}개")
    package static let connectionsTooMany = Phrase(
        "{count} connections an address, and {files} files and connections may be open: one address can use "
            + "up all",
        "주소마다 연결 {count}개인데 모두 {files}개까지 열 수 있어 한 주소가 다 쓸 수 있습니다")
    package static let connectionsTooManyMend = Phrase(
        "give --connections-per-address {most} at most, or raise the hard limit: LimitNOFILE=65536 in the "
            + "unit",
        "--connections-per-address를 {most} 이하로 하거나 한도를 올리세요: 유닛의 LimitNOFILE=65536")
    package static let connectionsFew = Phrase(
        "{count} connections an address: a hall behind one address has a few for each phone",
        "주소마다 연결 {count}개: 한 주소 뒤의 행사장에서는 휴대폰마다 몇 개씩 씁니다")
    package static let connectionsFewMend = Phrase(
        "give four times as many as people; the default is {usual}", "사람 수의 네 배를 주세요. 기본은 {usual}입니다")

    package static let terms = Phrase("terms of {file}", "약관 {file}")
    package static let termsMend = Phrase(
        "no server starts without it: give this user a text to read, or leave --terms out for ours",
        "이대로는 서버가 시작하지 않습니다. 이 사용자가 읽을 수 있는 텍스트를 주거나 --terms를 빼세요")
    package static let loops = Phrase("{count} threads for websockets", "웹소켓 스레드 {count}개")
    package static let loopsMany = Phrase(
        "{count} threads for websockets, and {cores} processors", "웹소켓 스레드 {count}개, 프로세서 {cores}개")
    package static let loopsMend = Phrase(
        "give --loops {cores} at most; one is enough for a few thousand",
        "--loops를 {cores} 이하로 하세요. 하나로 수천 명이 됩니다")
    package static let imports = Phrase("files are imported from {ranges} too", "{ranges}에서도 파일을 가져옵니다")
    package static let importsHere = Phrase(
        "hosts can make this server ask {address}, where programs and credentials of the machine itself "
            + "answer",
        "호스트가 이 서버로 하여금 {address}에 요청하게 할 수 있는데, 거기서는 컴퓨터 자신의 프로그램과 자격 증명이 답합니다")
    package static let importsHereMend = Phrase(
        "name the servers alone that have the files: --import-from 10.0.0.7",
        "파일이 있는 서버만 지정하세요: --import-from 10.0.0.7")
}
