internal import Meetings
internal import Phrases
internal import RecordText
internal import Terminal
internal import Wire

/// Draws the first row: the meeting's name, the state of the connection, and the time.
enum TitleBar {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ session: SessionState, _ dashboard: Dashboard, _ area: Area, _ canvas: inout Canvas) {
        let round = canvas.look.text(Messages.round, ["round": String(session.body.round)])
        draw(
            name: TerminalEscaping.safe(session.body.meetingName), detail: round, session.connection,
            dashboard.now, session.zone, area, &canvas)
    }

    static func draw(
        name: String, detail: String, _ connection: Connection, _ now: Instant, _ zone: Zone, _ area: Area,
        _ canvas: inout Canvas
    ) {
        let look = canvas.look
        canvas.fill(area, " ", .titleQuiet)
        let (state, colour) = said(connection, now, look)
        let clock = now.clock(in: zone)
        // Omit the clock on a narrow screen, because the name is more important.
        let isNarrow = area.columns < 60
        var right = Line(isNarrow ? "" : "\(clock)  ", .titleQuiet)
        right.add("\(look.bullet) \(state) ", Style(colour, on: .bar, bold: true))
        canvas.put(right, area, from: max(0, area.columns - right.width))
        var left = area
        left.columns = max(0, area.columns - right.width - 1)
        let detailWidth = DisplayWidth.of(detail) + 3
        let end = canvas.put(
            DisplayWidth.cut(name, to: max(8, left.columns - 1 - detailWidth)), left, from: 1, .title)
        canvas.put(look.dot + detail, left, from: end, .titleQuiet)
    }

    private static func said(_ connection: Connection, _ now: Instant, _ look: Look) -> (String, Colour) {
        switch connection {
        case .connecting: return (look.text(Messages.connecting), .yellow)
        case .live(let resumed):
            if let resumed, now.since(resumed.at) < Connection.resumptionShows {
                return (look.text(resumed.recovered ? Messages.resumed : Messages.reloaded), .green)
            }
            return (look.text(Messages.live), .green)
        case .waiting(let until):
            let seconds = (until.since(now).wholeMilliseconds + 999) / 1000
            guard seconds > 0 else { return (look.text(Messages.reconnectingNow), .yellow) }
            return (look.text(Messages.reconnecting, ["time": String(seconds)]), .yellow)
        }
    }
}

/// Draws the last row: the result of the last action, or else the most useful keys.
enum Footer {
    private typealias Messages = CommandPhrases.Dashboard

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        _ = area.takeLeft(1)
        if let notice = dashboard.notice {
            let style = notice.isTrouble ? Style(.yellow, bold: true) : Style(bold: true)
            canvas.put(canvas.look.text(notice.text, notice.values), area, style)
            return
        }
        var line = Line()
        for (key, meaning) in keys(dashboard, canvas.look) {
            var next = line
            if !next.parts.isEmpty { next.add("  ") }
            next.add(key, .key)
            next.add(" \(canvas.look.text(meaning))", .quiet)
            if next.width <= area.columns { line = next }
        }
        canvas.put(line, area)
    }

    /// Returns the keys with their meanings, the most important first. Keys that do not fit are not shown.
    private static func keys(_ dashboard: Dashboard, _ look: Look) -> [(String, Phrase)] {
        if dashboard.session == nil {
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("Enter", Messages.keyOpen),
                (look.upDown, Messages.keyChoose),
            ]
        }
        if dashboard.poll != nil {
            return [
                ("Enter", Messages.keyNext), ("Esc", Messages.keyBack),
                ("Enter Enter", Messages.keyAsk), (look.upDown, Messages.keyChoose),
            ]
        }
        if dashboard.isTyping {
            return [
                ("Enter", Messages.keyDone), ("Esc", Messages.keyBack), (look.upDown, Messages.keyChoose),
            ]
        }
        switch dashboard.pane {
        case .overview:
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("1-4", Messages.keyPanes),
                ("/", Messages.keySearch), ("c", Messages.keyCode), ("o", Messages.keyAsk),
                ("n", Messages.keyQuestion), ("u", Messages.keyUndo),
            ]
        case .attendees:
            return [
                ("?", Messages.keyHelp), ("p", AttendanceStatus.present.phrase),
                ("l", AttendanceStatus.late.phrase),
                ("a", AttendanceStatus.absent.phrase), ("e", AttendanceStatus.excused.phrase),
                ("u", Messages.keyUndo), ("/", Messages.keySearch),
                ("f", Messages.keyFilter), ("q", Messages.keyQuit),
            ]
        case .questions:
            return [
                ("?", Messages.keyHelp), ("q", Messages.keyQuit), ("n b", Messages.keyQuestion),
                ("o", Messages.keyAsk), ("x", Messages.keyClose), ("r", Messages.keyShare),
                ("1-4", Messages.keyPanes), ("c", Messages.keyCode),
            ]
        case .audience:
            return [
                ("?", Messages.keyHelp), ("s", Messages.keyShow), ("h", Messages.keyHide),
                ("a", Messages.keyAnswered), ("p", Messages.keyPin), ("u", Messages.keyUndo),
                (look.upDown, Messages.keyChoose), ("1-4", Messages.keyPanes), ("q", Messages.keyQuit),
            ]
        }
    }
}

/// Draws the list of all keys with their meanings.
enum HelpPage {
    private typealias Messages = CommandPhrases.Dashboard

    static func keys(_ look: Look) -> [(key: String, meaning: Phrase)] {
        [
            ("1-4", Messages.helpPanes), ("Tab", Messages.helpNextPane), (look.upDown, Messages.helpMove),
            ("/", Messages.helpSearch),
            ("f", Messages.helpFilter), ("p l a e", Messages.helpMark), ("u", Messages.helpUndo),
            ("s h a p", Messages.helpModerate), ("o x r", Messages.helpPoll),
            ("n b", Messages.helpQuestion), ("c", Messages.helpCode),
            ("h", Messages.helpHome), ("Ctrl-L", Messages.helpRedraw), ("?", Messages.helpHelp),
            ("q", Messages.helpQuit),
        ]
    }

    static func draw(_ dashboard: Dashboard, _ whole: Area, _ canvas: inout Canvas) {
        var area = whole
        let look = canvas.look
        let title = area.takeTop(1)
        canvas.fill(title, " ", .titleQuiet)
        canvas.put(look.text(Messages.helpTitle), title, from: 1, .title)
        _ = area.takeLeft(1)
        _ = area.takeRight(1)
        let keys = keys(look)
        // On the smallest screen, omit the keys that people find without help.
        if area.rows > keys.count + 1 { _ = area.takeTop(1) }
        let spare = ["Ctrl-L", "?", "Tab", "n b"].prefix(max(0, keys.count - area.rows))
        let shown = keys.filter { !spare.contains($0.key) }
        let widest = shown.map { DisplayWidth.of($0.key) }.max() ?? 0
        for (row, (key, meaning)) in shown.enumerated() {
            canvas.put(key, area, row: row, .key)
            canvas.put(look.text(meaning), area, row: row, from: widest + 2)
        }
    }
}

extension CommandPhrases.Dashboard {
    static let live = Phrase("live", "실시간")
    static let connecting = Phrase("connecting", "연결 중")
    static let reconnectingNow = Phrase("reconnecting", "다시 연결 중")
    static let resumed = Phrase("reconnected", "다시 연결됨")
    static let reloaded = Phrase("reloaded", "새로 불러옴")
    static let keyHelp = Phrase("help", "도움말")
    static let keyQuit = Phrase("quit", "나가기")
    static let keyPanes = Phrase("panes", "화면")
    static let keySearch = Phrase("search", "검색")
    static let keyCode = Phrase("code", "코드")
    static let keyQuestion = Phrase("question", "질문")
    static let keyOpen = Phrase("open", "열기")
    static let keyBack = Phrase("back", "뒤로")
    static let keyUndo = Phrase("undo", "되돌리기")
    static let keyFilter = Phrase("filter", "필터")
    static let keyDone = Phrase("done", "완료")
    static let keyChoose = Phrase("choose", "선택")
    static let helpTitle = Phrase("Keys", "키")
    static let helpPanes = Phrase("overview attendees questions audience", "개요 참석자 질문 청중")
    static let helpModerate = Phrase("audience: show hide answered pin", "청중: 공개 숨기기 답변 완료 고정")
    static let helpPoll = Phrase("ask a poll, close it, share results", "투표 열기, 닫기, 결과 공유")
    static let keyNext = Phrase("next line", "다음 줄")
    static let keyAsk = Phrase("ask", "질문하기")
    static let keyClose = Phrase("close", "닫기")
    static let keyShare = Phrase("share", "공유")
    static let keyShow = Phrase("show", "공개")
    static let keyHide = Phrase("hide", "숨기기")
    static let keyAnswered = Phrase("answered", "답변 완료")
    static let keyPin = Phrase("pin", "고정")
    static let helpNextPane = Phrase("next pane", "다음 화면")
    static let helpSearch = Phrase("search the attendees", "참석자 검색")
    static let helpFilter = Phrase("filter attendees by status", "상태별 참석자")
    static let helpMove = Phrase("move (the mouse works as well)", "이동(마우스도 가능)")
    static let helpMark = Phrase("present late absent excused", "출석 지각 결석 공결")
    static let helpUndo = Phrase("undo the last change", "마지막 변경 되돌리기")
    static let helpQuestion = Phrase("next, previous question", "다음, 이전 질문")
    static let helpCode = Phrase("the code on the whole screen", "코드 전체 화면")
    static let helpHome = Phrase("all sessions", "모든 회차")
    static let helpRedraw = Phrase("redraw the screen", "화면 다시 그리기")
    static let helpHelp = Phrase("this help", "이 도움말")
    static let helpQuit = Phrase("quit", "나가기")
}
