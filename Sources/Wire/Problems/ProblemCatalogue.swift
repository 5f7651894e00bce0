package import Phrases

extension ProblemCode {
    /// The detail of `storageUnavailable` if the operator can correct the problem by restoring the files.
    package static let storageMoved = Phrase(
        "Nothing was saved: the server's data folder was moved, replaced or deleted. Its operator must "
            + "restore the folder, or restart the server.",
        "저장되지 않았습니다. 서버의 데이터 폴더가 옮겨졌거나 바뀌었거나 지워졌습니다. 운영자가 폴더를 원래 위치에 되돌리거나 서버를 다시 시작해야 합니다.")

    /// The detail of `wrongCredentials` if the server checks the next password later.
    package static let nextPasswordWaits = Phrase(
        "Wrong e-mail address or password. The next password is checked {seconds} s from now.",
        "이메일 또는 비밀번호가 올바르지 않습니다. 다음 비밀번호는 {seconds}초 뒤에 확인합니다.")

    /// The detail of `storageUnavailable` if a long command was begun and is completed later.
    package static let storageUnfinished = Phrase(
        "The server has begun this change, but could not finish it now. It finishes the change as soon as it "
            + "can write again. Check the result before you send the change again.",
        "변경을 시작했지만 아직 마치지 못했습니다. 서버가 다시 저장할 수 있게 되면 마무리합니다. 다시 보내기 전에 결과를 확인하세요.")

    /// The detail of `storageUnavailable` if a long command was begun and reverted.
    package static let storageReverted = Phrase(
        "The server stopped before this change was complete, and has reverted it. Send the change again.",
        "변경을 마치기 전에 서버가 멈춰 변경을 되돌렸습니다. 다시 보내 주세요.")

    /// The detail of `internalError` if the database refused single steps of a long command.
    package static let storageIncomplete = Phrase(
        "The change is done, except for at least one entry that the server could not store. Compare the "
            + "result with your list. Ask the server's operator: the reason is in its log.",
        "변경을 마쳤지만 저장할 수 없어 빠진 항목이 있습니다. 결과를 목록과 비교해 보세요. 이유는 서버 로그에 있으니 서버 운영자에게 문의하세요.")

    /// The detail of `internalError` if the database refused the values of a request.
    package static let unstorable = Phrase(
        "Nothing was saved, because the server could not store one of the values. Ask the server's operator: "
            + "the reason is in its log.",
        "저장할 수 없는 값이 있어 저장되지 않았습니다. 이유는 서버 로그에 있으니 서버 운영자에게 문의하세요.")

    /// The detail of `sessionOverlap` for a token that may not see the other meeting.
    package static let overlapsAnotherMeeting = Phrase(
        "Another meeting takes place at that time. Choose another time, or save it anyway.",
        "그 시간에 다른 모임이 있습니다. 다른 시간을 선택하세요. 그래도 저장할 수 있습니다.")

    /// The details of `anonymityChanged`, by the present promise.
    package static let becameNamed = Phrase(
        "Nothing was stored. The form promised something else, but now your answers would be stored with "
            + "your name, and the host would see them. Decide whether to send them.",
        "저장된 것은 없습니다. 안내가 바뀌어 지금은 답변이 이름과 함께 저장되고 진행자가 볼 수 있습니다. 보낼지 다시 정하세요.")
    package static let becameHidden = Phrase(
        "Nothing was stored. The form promised something else. Now your answers would be stored with a "
            + "link to you, and shown without your name. Decide whether to send them.",
        "저장된 것은 없습니다. 안내가 바뀌어 지금은 답변이 본인과 연결되어 저장되고 이름 없이 표시됩니다. 보낼지 다시 정하세요.")
    package static let becameAnonymous = Phrase(
        "Nothing was stored. The form said that your answers are linked to you. Now they would be stored "
            + "without your name. Decide whether to send them.",
        "저장된 것은 없습니다. 본인과 연결되어 저장된다고 안내되었지만 지금은 답변이 이름 없이 저장됩니다. 보낼지 다시 정하세요.")
    /// The detail of `confirmationNeeded` if a question set has responses.
    package static let answersWouldBeDeleted = Phrase(
        "This also deletes {count} {count|response|responses}. To confirm, enter the name of the set: {name}",
        "응답 {count}개도 함께 삭제됩니다. 진행하려면 질문 묶음의 이름을 입력하세요: {name}")
    /// The detail of `anonymityChanged` if an attendee's question would now be stored with the name.
    package static let questionsBecameNamed = Phrase(
        "Your question was not sent. The form said that nobody sees your name. The host has "
            + "changed this: hosts now see it. Send the question only if you agree.",
        "질문을 보내지 않았습니다. 이름이 아무에게도 보이지 않는다고 안내했지만, 이제 진행자가 이름을 볼 수 있습니다. 그래도 보낼지 다시 선택하세요.")
    /// The detail of `anonymityChanged` if the hosts would now see the names in groups of interest.
    package static let groupsBecameNamed = Phrase(
        "Nothing was stored. The form said that your name is shown to nobody, but now the hosts would see "
            + "it beside your nickname. Decide whether to take part.",
        "저장된 것은 없습니다. 이름이 아무에게도 보이지 않는다고 안내되었지만 지금은 진행자가 별명과 함께 이름을 보게 됩니다. 참여할지 다시 정하세요.")
    /// The detail of `anonymityChanged` if nobody would now see the names in groups of interest.
    package static let groupsBecameHidden = Phrase(
        "Nothing was stored. The form said that the hosts see your name, but now your name would be shown to "
            + "nobody. Decide whether to take part.",
        "저장된 것은 없습니다. 진행자가 이름을 본다고 안내되었지만 지금은 이름이 아무에게도 보이지 않습니다. 참여할지 다시 정하세요.")
    /// The detail of `anonymityChanged` if an attendee's question would now be shown without the name.
    package static let questionsBecameHidden = Phrase(
        "Your question was not sent. The form said that the hosts see your name. The host has "
            + "changed this: nobody sees it now. Decide again whether to send the question.",
        "질문을 보내지 않았습니다. 진행자에게 이름이 보인다고 안내했지만, 이제 이름이 아무에게도 보이지 않습니다. 질문을 보낼지 다시 선택하세요.")
    /// The detail of `storageUnavailable` if the database is damaged.
    package static let storageDamaged = Phrase(
        "Nothing was saved: the server's database is damaged. Its operator must restore a backup.",
        "저장되지 않았습니다. 서버의 데이터베이스가 손상되었습니다. 운영자가 백업을 복원해야 합니다.")
    /// The detail of `storageFull` while a little space is left.
    package static let storageLow = Phrase(
        "Less than {least} is free on the server's disk. Its operator must free space, or saving will fail "
            + "soon.",
        "서버 디스크의 여유가 {least}보다 적습니다. 저장할 수 없게 되기 전에 운영자가 공간을 비워야 합니다.")

    /// The title and detail of the problem.
    package var phrases: ProblemPhrases {
        func phrases(_ title: String, _ detail: String, _ koreanTitle: String, _ koreanDetail: String)
            -> ProblemPhrases
        {
            ProblemPhrases(Phrase(title, koreanTitle), Phrase(detail, koreanDetail))
        }
        return switch self {
        case .notJSON:
            phrases(
                "Not JSON",
                "The body is not a JSON object. Send UTF-8 JSON without duplicate keys.",
                "JSON이 아닙니다",
                "본문이 JSON 객체가 아닙니다. 중복 키가 없는 UTF-8 JSON을 보내세요.")
        case .jsonTooDeep:
            phrases(
                "JSON is nested too deeply",
                "Objects and arrays may be nested at most {limit} levels deep.",
                "JSON의 중첩이 너무 깊습니다",
                "객체와 배열은 최대 {limit}단계까지 중첩할 수 있습니다.")
        case .jsonKeyTooLong:
            phrases(
                "A key in the JSON is too long",
                "A key of a JSON object can have at most {limit} bytes.",
                "JSON의 키가 너무 깁니다",
                "JSON 객체의 키는 최대 {limit}바이트까지 쓸 수 있습니다.")
        case .jsonTooManyValues:
            phrases(
                "Too many values in the JSON",
                "Send at most {limit} values in one request.",
                "JSON의 값이 너무 많습니다",
                "값은 한 번에 최대 {limit}개까지 보낼 수 있습니다.")
        case .badRequest:
            phrases(
                "Bad request",
                "The request violates HTTP's grammar. Correct it as RFC 9112 describes, then send it again.",
                "잘못된 요청입니다",
                "요청이 HTTP 문법에 맞지 않습니다. RFC 9112에 맞게 고쳐 다시 보내세요.")
        case .invalidFields:
            phrases(
                "Some values were refused",
                "Check the values below, then try again.",
                "올바르지 않은 항목이 있습니다",
                "표시된 항목을 확인하세요.")
        case .unsupportedMediaType:
            phrases(
                "Unsupported media type",
                "Send the body as {expected}.",
                "지원하지 않는 형식입니다",
                "본문을 {expected} 형식으로 보내세요.")
        case .bodyTooLarge:
            phrases(
                "Too large",
                "You can send at most {limit} here.",
                "너무 큽니다",
                "여기서는 최대 {limit}까지 보낼 수 있습니다.")
        case .headersTooLarge:
            phrases(
                "Headers too large",
                "The headers may have at most 8 KB. Send fewer or shorter ones.",
                "헤더가 너무 큽니다",
                "헤더는 최대 8KB까지 보낼 수 있습니다. 줄여서 보내세요.")
        case .requestTimeout:
            phrases(
                "Too slow",
                "The request did not arrive within 10 seconds. Send it again.",
                "시간이 초과되었습니다",
                "요청이 10초 안에 도착하지 않았습니다. 다시 보내세요.")
        case .methodNotAllowed:
            phrases(
                "Method not allowed",
                "Use one of the methods in the Allow header.",
                "허용되지 않는 메서드입니다",
                "Allow 헤더에 있는 메서드를 사용하세요.")
        case .upgradeRefused:
            phrases(
                "Not a room connection",
                "Open a new connection and send GET /rooms with Upgrade: websocket, version 13 and the "
                    + "subprotocol qring.v1.",
                "룸 연결 요청이 아닙니다",
                "새 연결에서 Upgrade: websocket, 버전 13, 하위 프로토콜 qring.v1로 GET /rooms를 보내세요.")
        case .streamRefused:
            phrases(
                "Not an event stream",
                "Send GET /rooms/events with HTTP/1.1 on a new connection, without a body and with nothing "
                    + "after it.",
                "이벤트 스트림 요청이 아닙니다",
                "새 연결에서 HTTP/1.1로 GET /rooms/events를 본문 없이 보내고, 그 뒤에 아무것도 보내지 마세요.")
        case .ticketNotValid:
            phrases(
                "This ticket is not valid",
                "A ticket is valid once, for 30 seconds. Request a new one and connect again.",
                "사용할 수 없는 티켓입니다",
                "티켓은 30초 동안 한 번만 쓸 수 있습니다. 새 티켓을 받아 다시 연결하세요.")
        case .notFound:
            phrases(
                "Not found",
                "We can't find that {thing}. It may have been deleted.",
                "찾을 수 없습니다",
                "{thing} 찾을 수 없습니다. 삭제되었을 수 있습니다.")
        case .addressNotFetched:
            phrases(
                "The server could not download the file",
                "Reason: {reason}. Download the file yourself, then send it.",
                "서버가 파일을 내려받지 못했습니다",
                "이유: {reason}. 파일을 직접 내려받은 뒤 보내세요.")
        case .notSignedIn:
            phrases(
                "Not signed in",
                "Sign in, then try again.",
                "로그인이 필요합니다",
                "로그인한 뒤 다시 시도하세요.")
        case .wrongCredentials:
            phrases(
                "Sign-in failed",
                "Wrong e-mail address or password.",
                "로그인할 수 없습니다",
                "이메일 또는 비밀번호가 올바르지 않습니다.")
        case .signInEnded:
            phrases(
                "Signed out for your safety",
                "This sign-in was used in two places, so somebody may have copied it. It has ended "
                    + "everywhere. Sign in again.",
                "안전을 위해 로그아웃되었습니다",
                "이 로그인이 두 곳에서 사용되어 복사되었을 수 있습니다. 모든 곳에서 로그아웃했습니다. 다시 로그인하세요.")
        case .tokenExpired:
            phrases(
                "The sign-in must be renewed",
                "This access token has expired. Renew it with the refresh token, or sign in again.",
                "로그인을 갱신해야 합니다",
                "로그인 유효 시간이 지났습니다. 로그인을 갱신하거나 다시 로그인하세요.")
        case .accountSuspended:
            phrases(
                "Your account is suspended",
                "An operator of this server has suspended your account. Your data is still stored. Ask the "
                    + "operator.",
                "계정이 정지되었습니다",
                "서버 운영자가 계정을 정지했습니다. 데이터는 그대로 보관되어 있습니다. 운영자에게 문의하세요.")
        case .accountWithdrawn:
            phrases(
                "This account was deleted",
                "Nobody can sign in to this account any more. Sign up again if you need an account.",
                "삭제된 계정입니다",
                "이 계정으로는 더 이상 로그인할 수 없습니다. 계정이 필요하면 다시 가입하세요.")
        case .confirmationCodeNotValid:
            phrases(
                "This code is not valid",
                "The code is wrong, has expired or was used. Check the newest message or request a new code.",
                "유효하지 않은 인증번호입니다",
                "인증번호가 틀렸거나 만료되었거나 이미 사용되었습니다. 가장 최근에 받은 인증번호를 확인하거나 새로 요청하세요.")
        case .accountNotVerified:
            phrases(
                "Verify your e-mail address first",
                "Enter the code from the mail that this server sent to you. You can request a new mail.",
                "이메일을 먼저 확인하세요",
                "서버가 보낸 메일의 인증번호를 입력하세요. 메일을 다시 요청할 수도 있습니다.")
        case .tokenLimited:
            phrases(
                "This token may not do this",
                "The token is limited to reading or to one meeting, or this needs a sign-in. Sign in, or "
                    + "create a token that may do it.",
                "이 토큰으로는 할 수 없습니다",
                "읽기 전용이거나 한 모임에만 쓸 수 있는 토큰이거나, 로그인이 필요한 작업입니다. 로그인하거나 권한이 있는 토큰을 만드세요.")
        case .receiptNotValid:
            phrases(
                "No valid check-in",
                "This check-in is no longer valid, or this device has none. Check in again.",
                "유효한 체크인이 없습니다",
                "체크인이 더 이상 유효하지 않거나 이 기기에 체크인 기록이 없습니다. 다시 체크인하세요.")
        case .notAllowed:
            phrases(
                "Not allowed",
                "Your role does not allow this. Ask an owner of the meeting.",
                "권한이 없습니다",
                "이 작업을 할 권한이 없습니다. 모임 소유자에게 문의하세요.")
        case .originNotAllowed:
            phrases(
                "Not allowed from this page",
                "This can only be sent from the server's own pages.",
                "이 페이지에서는 보낼 수 없습니다",
                "이 서버의 페이지에서만 보낼 수 있습니다.")
        case .signUpClosed:
            phrases(
                "Sign-up is closed",
                "This server accepts no new accounts. Ask its operator.",
                "가입이 닫혀 있습니다",
                "이 서버는 새 계정을 받지 않습니다. 운영자에게 문의하세요.")
        case .setupTokenRequired:
            phrases(
                "Set-up token required",
                "The first account becomes the operator. Enter the set-up token. The server printed it "
                    + "when it started, and it is in the file setup-token of the data folder.",
                "설정 토큰이 필요합니다",
                "첫 계정은 운영자 계정이 됩니다. 설정 토큰을 입력하세요. 서버가 시작할 때 출력했으며, 데이터 폴더의 setup-token 파일에도 있습니다.")
        case .setupTokenNotValid:
            phrases(
                "Wrong set-up token",
                "Check the token. It is in the file setup-token of the server's data folder.",
                "설정 토큰이 올바르지 않습니다",
                "토큰을 확인하세요. 서버 데이터 폴더의 setup-token 파일에 있습니다.")
        case .tooManyAttempts:
            phrases(
                "Too many failed attempts",
                "Wait {seconds} s, then try again.",
                "실패한 시도가 너무 많습니다",
                "{seconds}초 뒤에 다시 시도하세요.")
        case .tooManyCodeRequests:
            phrases(
                "Too many requests for codes",
                "Many people have just asked for codes. Ask for yours again in {time}. A code that you "
                    + "already have is valid for 10 minutes.",
                "인증번호 요청이 너무 많습니다",
                "방금 많은 사람이 인증번호를 요청했습니다. {time} 뒤에 다시 요청하세요. 이미 받은 인증번호는 10분 동안 유효합니다.")
        case .tooManySignUps:
            phrases(
                "Too many new accounts",
                "Too many people signed up from your network in the last hour. Try again in {minutes} min, "
                    + "or ask the operator for an invitation.",
                "새 계정이 너무 많습니다",
                "지난 한 시간 동안 같은 네트워크에서 너무 많은 사람이 가입했습니다. {minutes}분 뒤에 다시 시도하거나 운영자에게 초대를 요청하세요.")
        case .emailTaken:
            phrases(
                "This e-mail address has an account",
                "Sign in with this address, or use another one.",
                "이미 가입된 이메일입니다",
                "이 이메일로 로그인하거나 다른 이메일을 사용하세요.")
        case .sessionOverlap:
            phrases(
                "Sessions overlap",
                "{name} takes place at that time. Choose another time, or save it anyway.",
                "회차가 겹칩니다",
                "그 시간에 {name} 모임이 있습니다. 다른 시간을 선택하세요. 그래도 저장할 수 있습니다.")
        case .sessionOver:
            phrases(
                "The session is over",
                "You cannot change this after the session has ended.",
                "회차가 끝났습니다",
                "회차가 끝난 뒤에는 바꿀 수 없습니다.")
        case .sessionHasAttendees:
            phrases(
                "There are attendees already",
                "You can change how attendees are identified only before the first one checks in.",
                "이미 참석자가 있습니다",
                "참석자를 구분하는 방법은 첫 체크인 전에만 바꿀 수 있습니다.")
        case .confirmationNeeded:
            phrases(
                "Confirmation required",
                "This also deletes check-ins: {count}. To confirm, enter the name: {name}",
                "확인이 필요합니다",
                "체크인 {count}건도 함께 삭제됩니다. 진행하려면 이름을 입력하세요: {name}")
        case .limitReached:
            phrases(
                "Limit reached",
                "At most {limit} {thing} are allowed.",
                "한도에 도달했습니다",
                "{thing} 수는 최대 {limit}입니다.")
        case .questionSetsTooLarge:
            phrases(
                "Too many questions",
                "All questions of a session together may have 1.25 MB, 1,000 questions, and 25,000 texts in "
                    + "all languages. Shorten or delete questions of this session, or copy fewer of them.",
                "질문이 너무 많습니다",
                "한 회차의 질문은 모두 합쳐 1.25 MB, 질문 1,000개, 모든 언어의 문구 25,000개까지 저장할 수 있습니다. "
                    + "이 회차의 질문을 줄이거나 삭제하고, 복사할 때는 더 적게 선택하세요.")
        case .meetingIsBusy:
            phrases(
                "A long change is in progress",
                "Another long change of this meeting is in progress. Try again in a few seconds.",
                "변경 작업이 진행 중입니다",
                "이 모임에서 오래 걸리는 변경 작업이 진행 중입니다. 몇 초 뒤에 다시 시도하세요.")
        case .alreadyOnRoster:
            phrases(
                "Already on the roster",
                "{name} has this roster entry, e-mail address or number. Edit that entry, or restore "
                    + "it from the archive.",
                "이미 명단에 있습니다",
                "{name} 님이 같은 명단 항목, 이메일 또는 번호를 사용합니다. 그 항목을 수정하거나 보관을 해제하세요.")
        case .nameOnRoster:
            phrases(
                "This name is on the roster",
                "{name} is on the roster already. If this is another person, add them anyway.",
                "같은 이름이 명단에 있습니다",
                "{name} 님이 이미 명단에 있습니다. 이름이 같은 다른 사람이면 그래도 추가하세요.")
        case .versionMismatch:
            ProblemPhrases(Phrase("Changed meanwhile", "그사이 내용이 바뀌었습니다"), .Record.changedMeanwhile)
        case .preconditionRequired:
            phrases(
                "The version is missing",
                "Somebody else may be editing this too. Read it first, then send its ETag as If-Match. "
                    + "If-Match: * overwrites any version.",
                "버전이 필요합니다",
                "다른 사람도 수정하고 있을 수 있습니다. 먼저 읽고 그 ETag를 If-Match로 보내세요. If-Match: *는 어떤 버전이든 덮어씁니다.")
        case .idempotencyKeyUsed:
            phrases(
                "Key used for another request",
                "Another request was sent with this Idempotency-Key. Use a new key.",
                "다른 요청에 사용된 키입니다",
                "이 Idempotency-Key는 다른 요청에 사용되었습니다. 새 키를 사용하세요.")
        case .codeNotValid:
            phrases(
                "This code is not valid",
                "This code has expired. Scan the one on the screen now.",
                "유효하지 않은 코드입니다",
                "만료된 코드입니다. 화면의 코드를 다시 스캔하세요.")
        case .grantNotValid:
            phrases(
                "Start again",
                "This form has expired, or it was opened in another browser. Scan or type the code again.",
                "다시 시작하세요",
                "만료되었거나 다른 브라우저에서 연 양식입니다. 코드를 다시 스캔하거나 입력하세요.")
        case .grantExpired:
            phrases(
                "Your scan has expired",
                "Scan the code on the screen again, or type it. What you typed is kept.",
                "스캔한 지 오래되었습니다",
                "화면의 코드를 다시 스캔하거나 입력하세요. 입력한 내용은 그대로 남아 있습니다.")
        case .grantUsedUp:
            phrases(
                "One scan is for one person",
                "This scan was used for several people. Scan or type the code again.",
                "스캔 한 번에 한 명만 체크인할 수 있습니다",
                "여러 사람에게 사용된 스캔입니다. 코드를 다시 스캔하거나 입력하세요.")
        case .renamedTooOften:
            phrases(
                "Name changed too often",
                "You have changed your name {limit} times. Ask the host to correct it.",
                "이름을 너무 여러 번 바꾸었습니다",
                "이름을 {limit}번 바꾸었습니다. 진행자에게 수정을 요청하세요.")
        case .checkInNotOpen:
            phrases(
                "Check-in is not open yet",
                "It opens at {time}.",
                "아직 체크인 시간이 아닙니다",
                "{time}에 시작합니다.")
        case .checkInClosed:
            phrases(
                "Check-in is closed",
                "It closed at {time}. Ask the host to add you.",
                "체크인이 끝났습니다",
                "{time}에 끝났습니다. 진행자에게 추가를 요청하세요.")
        case .attendeeExists:
            phrases(
                "This attendee exists already",
                "An attendee of this session has this e-mail address or number. Correct that record.",
                "이미 있는 참석자입니다",
                "이 이메일이나 번호를 사용하는 참석자가 이미 있습니다. 그 기록을 수정하세요.")
        case .addressInUse:
            phrases(
                "Is this address yours?",
                "This address or number is in use in this session already. If you mistyped it, correct it. "
                    + "If you checked in twice, ask the host to merge the two check-ins.",
                "본인의 이메일이나 번호가 맞나요?",
                "이 회차에서 이미 사용 중입니다. 잘못 입력했다면 고치세요. 두 번 체크인했다면 진행자에게 합쳐 달라고 요청하세요.")
        case .cannotBeUndone:
            phrases(
                "Cannot be undone",
                "This event is not a correction, or its old values were deleted. Correct the record instead.",
                "되돌릴 수 없습니다",
                "출석 수정이 아니거나 이전 내용이 삭제되었습니다. 기록을 직접 수정하세요.")
        case .changedSince:
            phrases(
                "Changed again later",
                "A later change affects the same record. Undo that change first, or correct the record.",
                "그 뒤에 다시 바뀌었습니다",
                "같은 기록이 그 뒤에 바뀌었습니다. 나중에 바뀐 내용을 먼저 되돌리거나 기록을 직접 수정하세요.")
        case .nothingToUndo:
            phrases(
                "Nothing to undo",
                "No correction can be undone now. The journal shows what has changed since.",
                "되돌릴 것이 없습니다",
                "지금 되돌릴 수 있는 수정이 없습니다. 그동안 바뀐 내용은 변경 기록에서 확인하세요.")
        case .nothingToRedo:
            phrases(
                "Nothing to redo",
                "Nothing was undone, or somebody has made a new change since. Make the change again.",
                "다시 실행할 것이 없습니다",
                "되돌린 수정이 없거나 그 뒤에 다른 내용이 바뀌었습니다. 직접 다시 수정하세요.")
        case .lastOwner:
            phrases(
                "The last owner",
                "A meeting needs an owner. Make somebody else an owner first.",
                "마지막 소유자입니다",
                "모임에는 소유자가 있어야 합니다. 먼저 다른 사람을 소유자로 지정하세요.")
        case .lastOperator:
            phrases(
                "The only operator",
                "A server needs an operator. First make another account an operator: stop the server, "
                    + "and run qring admin user make-operator EMAIL on its machine.",
                "유일한 운영자입니다",
                "서버에는 운영자가 있어야 합니다. 서버를 멈추고 그 컴퓨터에서 qring admin user make-operator EMAIL로 "
                    + "다른 사람을 운영자로 지정하세요.")
        case .alreadyMember:
            phrases(
                "Already a member",
                "The account with this address is a member. Change its role instead.",
                "이미 구성원입니다",
                "이 이메일의 계정은 이미 구성원입니다. 역할을 바꾸세요.")
        case .invitationNotValid:
            phrases(
                "Invitation not valid",
                "The invitation is for another address, has been used, has expired, or was revoked. Ask the "
                    + "person who invited you for a new one.",
                "유효하지 않은 초대입니다",
                "다른 이메일의 초대이거나 이미 사용, 만료 또는 취소되었습니다. 초대한 사람에게 새 초대를 요청하세요.")
        case .notAnImage:
            phrases(
                "Not a JPEG or PNG",
                "The file must be a JPEG or PNG image of at most {limit}. Save the image in one of "
                    + "these formats.",
                "JPEG나 PNG가 아닙니다",
                "JPEG나 PNG 이미지만 사용할 수 있습니다(최대 {limit}). 이 형식으로 저장해서 보내세요.")
        case .imageNotUsable:
            phrases(
                "Image not usable",
                "The image is damaged or has more than {limit} million pixels. Send a smaller one.",
                "사용할 수 없는 이미지입니다",
                "이미지가 손상되었거나 {limit}백만 화소를 넘습니다. 더 작은 이미지를 보내세요.")
        case .feedbackNotOpen:
            phrases(
                "Feedback is not open yet",
                "It opens at {time}.",
                "아직 피드백 시간이 아닙니다",
                "{time}에 시작합니다.")
        case .feedbackClosed:
            phrases(
                "Feedback is closed",
                "Answers are no longer accepted. Ask the host to open it again.",
                "피드백이 끝났습니다",
                "더 이상 답변을 받지 않습니다. 진행자에게 다시 열어 달라고 요청하세요.")
        case .alreadyResponded:
            phrases(
                "Answered already",
                "Your answers are stored. They cannot change.",
                "이미 답변했습니다",
                "답변이 저장되어 있습니다. 저장된 답변은 바꿀 수 없습니다.")
        case .deviceNotRecognized:
            phrases(
                "This device was not recognized",
                "The form takes one answer from each device. Allow cookies for this page, open the form "
                    + "again, and send your answers.",
                "기기를 확인할 수 없습니다",
                "이 양식은 기기마다 한 번만 답할 수 있습니다. 이 페이지의 쿠키를 허용하고 양식을 다시 연 뒤 답변을 보내세요.")
        case .questionsLocked:
            phrases(
                "Questions are locked",
                "There are responses already. You can still change texts, and add optional questions "
                    + "at the end.",
                "질문이 잠겼습니다",
                "이미 답변이 있습니다. 문구를 바꾸거나 선택 질문을 끝에 추가할 수만 있습니다.")
        case .answersHeldBack:
            phrases(
                "You can't change these questions yet",
                "One or two anonymous answers still wait for a group of three. If you add, hide "
                    + "or show a question now, the results can reveal who gave them. Try again after "
                    + "more answers, or create a new set.",
                "아직 질문을 바꿀 수 없습니다",
                "익명 답변은 세 개씩 모아 집계합니다. 지금 질문을 추가하거나 숨기거나 다시 보이게 하면 누구의 답변인지 드러날 수 있습니다. 답변이 더 들어온 "
                    + "뒤 다시 시도하거나 새 질문 묶음을 만드세요.")
        case .anonymityFixed:
            phrases(
                "The promise is fixed",
                "These questions were opened or shown, so you can no longer change whether answers are "
                    + "anonymous, without names or with names. Create a new set instead.",
                "공개 방식을 바꿀 수 없습니다",
                "이미 열렸거나 참석자에게 보인 질문이라 익명, 이름 숨김, 실명을 바꿀 수 없습니다. 새 질문 묶음을 만드세요.")
        case .anonymityChanged:
            phrases(
                "The form has changed",
                "Nothing was stored. Read the form again, then decide whether to send your answers.",
                "양식이 바뀌었습니다",
                "저장된 것은 없습니다. 양식을 다시 확인한 뒤 답변을 보낼지 정하세요.")
        case .noQuestions:
            phrases(
                "No questions",
                "The host has not added any questions here.",
                "질문이 없습니다",
                "진행자가 등록한 질문이 없습니다.")
        case .audienceQuestionsClosed:
            phrases(
                "The host is not accepting questions",
                "Ask the host to accept audience questions.",
                "질문을 받지 않고 있습니다",
                "질문을 하려면 진행자에게 질문 받기를 켜 달라고 요청하세요.")
        case .alreadyMerged:
            phrases(
                "Already merged",
                "This question was merged into another one. Load the list again, and use the "
                    + "question that remains.",
                "이미 합쳐진 질문입니다",
                "다른 질문에 합쳐진 질문입니다. 목록을 새로 고치고 남아 있는 질문을 사용하세요.")
        case .matchingClosed:
            phrases(
                "Groups of interest are off",
                "Nobody can take part now. Ask the host to switch the groups of interest on.",
                "관심사 모임이 꺼져 있습니다",
                "지금은 참여할 수 없습니다. 진행자에게 관심사 모임을 켜 달라고 요청하세요.")
        case .matchNotJoined:
            phrases(
                "Take part first",
                "Choose a nickname and keywords, then ask again.",
                "먼저 참여하세요",
                "별명과 관심사를 정한 뒤 다시 시도하세요.")
        case .matchExcluded:
            phrases(
                "You cannot take part",
                "A host has excluded you from the groups of interest of this session. Ask a host why.",
                "참여할 수 없습니다",
                "진행자가 이 회차의 관심사 모임에서 제외했습니다. 이유는 진행자에게 문의하세요.")
        case .matchNotPossible:
            phrases(
                "This person cannot be asked now",
                "Perhaps one of you is already meeting somebody, or the person has declined. "
                    + "Ask somebody else.",
                "지금은 요청할 수 없습니다",
                "이미 다른 사람과 만나고 있거나 상대방이 거절했을 수 있습니다. 다른 사람에게 요청해 보세요.")
        case .matchRequestOver:
            phrases(
                "This request is over",
                "It has expired, was answered or was withdrawn. Look at the page again.",
                "끝난 요청입니다",
                "시간이 지났거나 이미 답했거나 취소된 요청입니다. 페이지를 다시 확인하세요.")
        case .matchRequestsTooFast:
            phrases(
                "Too many requests",
                "You asked often in the last minute. Try again in {seconds} s.",
                "요청이 너무 많습니다",
                "1분 동안 너무 많이 요청했습니다. {seconds}초 뒤에 다시 시도하세요.")
        case .unknownRoom:
            phrases(
                "Unknown room",
                "Rooms are session:<id>, presenter:<id>, audience:<id> and home.",
                "알 수 없는 룸입니다",
                "룸은 session:<id>, presenter:<id>, audience:<id>, home입니다.")
        case .notJoined:
            phrases(
                "Not joined",
                "Join the room first.",
                "참여하지 않은 룸입니다",
                "먼저 룸에 참여하세요.")
        case .tooManyRooms:
            phrases(
                "Too many rooms",
                "A connection can join at most {limit} rooms. Leave one, or open another connection.",
                "룸이 너무 많습니다",
                "한 연결은 최대 {limit}개 룸에 참여할 수 있습니다. 룸 하나에서 나가거나 새 연결을 여세요.")
        case .internalError:
            phrases(
                "Something went wrong",
                "This is an error in the server. Tell its operator the request id.",
                "서버 오류입니다",
                "서버에서 오류가 발생했습니다. 운영자에게 요청 ID를 알려 주세요.")
        case .overloaded:
            phrases(
                "Busy",
                "The server is busy. Nothing was changed. Try again in a moment.",
                "서버가 바쁩니다",
                "바뀐 것은 없습니다. 잠시 뒤에 다시 시도하세요.")
        case .tooManyChanges:
            phrases(
                "Too many changes",
                "Your account made too many changes in a short time. This one was not made. "
                    + "Try again in {seconds} s.",
                "변경이 너무 많습니다",
                "짧은 시간에 너무 많은 내용을 변경했습니다. 이번 변경은 저장되지 않았습니다. {seconds}초 뒤에 다시 시도하세요.")
        case .oneAtATime:
            phrases(
                "Still working",
                "Several of your lists or exports are still being made. Wait until they are ready, then try "
                    + "again.",
                "아직 처리하고 있습니다",
                "이전에 요청한 목록이나 내보내기를 아직 처리하고 있습니다. 끝난 뒤에 다시 시도하세요.")
        case .tooMuchAtOnce:
            phrases(
                "Too much at once",
                "This search or export reads too much data at once. Choose fewer items for a page, or a "
                    + "smaller part of the data.",
                "한 번에 처리하기에는 너무 많습니다",
                "이 검색이나 내보내기는 한 번에 너무 많은 데이터를 읽습니다. 한 쪽에 표시할 수를 줄이거나 더 작은 범위를 선택하세요.")
        case .storageUnavailable:
            phrases(
                "Storage unavailable",
                "Nothing was saved. Try again in a moment. If this continues, tell the operator.",
                "저장소를 사용할 수 없습니다",
                "저장되지 않았습니다. 잠시 뒤 다시 시도하고, 계속되면 운영자에게 알려 주세요.")
        case .storageFull:
            phrases(
                "Storage is full",
                "Nothing was saved. The operator must free disk space, or raise the quota or the limit "
                    + "on file sizes.",
                "저장 공간이 가득 찼습니다",
                "저장되지 않았습니다. 운영자가 디스크 공간을 비우거나 할당량 또는 파일 크기 한도를 늘려야 합니다.")
        }
    }
}
