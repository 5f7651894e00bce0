package import Phrases

extension ProblemCode {
    /// For `storageUnavailable` if the operator can repair it by restoring the files.
    package static let storageMoved = Phrase(
        "Nothing was saved: the server's data folder was moved, replaced or deleted. Its operator must put "
            + "it back, or restart the server.",
        "저장되지 않았습니다. 서버의 데이터 폴더가 옮겨졌거나 바뀌었거나 지워졌습니다. 운영자가 폴더를 제자리에 되돌리거나 서버를 다시 시작해야 합니다.")

    /// For `anonymityChanged`: how answers are stored now.
    package static let becameNamed = Phrase(
        "Nothing was stored. The form said that answers are anonymous; they would now be stored with your "
            + "name. Decide whether to send them.",
        "저장된 것은 없습니다. 익명으로 안내되었지만 지금은 답변이 이름과 함께 저장됩니다. 보낼지 다시 정하세요.")
    package static let becameAnonymous = Phrase(
        "Nothing was stored. The form said that answers have your name; they would now be stored without "
            + "your name. Decide whether to send them.",
        "저장된 것은 없습니다. 이름과 함께 저장된다고 안내되었지만 지금은 답변이 이름 없이 저장됩니다. 보낼지 다시 정하세요.")
    /// For `storageUnavailable` if the database is damaged.
    package static let storageDamaged = Phrase(
        "Nothing was saved: the server's database is damaged. Its operator must restore a backup.",
        "저장되지 않았습니다. 서버의 데이터베이스가 손상되었습니다. 운영자가 백업을 복원해야 합니다.")
    /// For `storageFull` while a little space is left.
    package static let storageLow = Phrase(
        "Less than {least} is free on the server's disk. Its operator must free space, or saving will fail "
            + "soon.",
        "서버 디스크의 여유가 {least}보다 적습니다. 저장할 수 없게 되기 전에 운영자가 공간을 비워야 합니다.")

    package var phrases: ProblemPhrases {
        func says(_ title: String, _ detail: String, _ koreanTitle: String, _ koreanDetail: String)
            -> ProblemPhrases
        {
            ProblemPhrases(Phrase(title, koreanTitle), Phrase(detail, koreanDetail))
        }
        return switch self {
        case .notJSON:
            says(
                "Not JSON", "The body is not a JSON object. Send UTF-8 JSON without duplicate keys.",
                "JSON이 아닙니다", "본문이 JSON 객체가 아닙니다. 중복 키가 없는 UTF-8 JSON을 보내세요.")
        case .jsonTooDeep:
            says(
                "JSON nested too deeply",
                "The objects and arrays are nested too deeply. Use at most {limit} levels.",
                "JSON의 중첩이 너무 깊습니다", "객체와 배열이 너무 깊게 중첩되었습니다. 최대 {limit}단계로 줄여서 보내세요.")
        case .jsonKeyTooLong:
            says(
                "Name in the JSON too long",
                "The name of a member is too long. Use at most {limit} bytes for a name.",
                "JSON의 이름이 너무 깁니다", "객체 안의 이름(키)이 너무 깁니다. 최대 {limit}바이트로 줄여서 보내세요.")
        case .jsonTooManyValues:
            says(
                "Too many values in the JSON",
                "There are too many values. Send at most {limit} values in one request.",
                "JSON의 값이 너무 많습니다", "값이 너무 많습니다. 한 번에 최대 {limit}개까지 보내세요.")
        case .badRequest:
            says(
                "Bad request", "The request breaks HTTP's grammar. Send it again as RFC 9112 has it.",
                "잘못된 요청", "요청이 HTTP 문법에 맞지 않습니다. RFC 9112에 맞게 다시 보내세요.")
        case .invalidFields:
            says(
                "Some fields are not right", "Correct the fields listed under errors, and send again.",
                "올바르지 않은 항목이 있습니다", "errors에 적힌 항목을 고쳐 다시 보내세요.")
        case .unsupportedMediaType:
            says(
                "Unsupported media type", "Send the body with Content-Type: {expected}.",
                "지원하지 않는 형식", "본문을 Content-Type: {expected} 형식으로 보내세요.")
        case .bodyTooLarge:
            says(
                "Body too large", "At most {limit} are taken here.",
                "본문이 너무 큽니다", "여기서는 최대 {limit}까지 받습니다.")
        case .headersTooLarge:
            says(
                "Headers too large", "At most 8 KB of headers are taken. Send fewer or shorter ones.",
                "헤더가 너무 큽니다", "헤더는 최대 8KB까지 받습니다. 줄여서 보내세요.")
        case .requestTimeout:
            says(
                "Too slow", "The request did not arrive within 10 seconds. Send it again.",
                "시간 초과", "요청이 10초 안에 도착하지 않았습니다. 다시 보내세요.")
        case .methodNotAllowed:
            says(
                "Method not allowed", "Use one of the methods named in the Allow header.",
                "허용되지 않는 메서드", "Allow 헤더에 있는 메서드를 쓰세요.")
        case .upgradeRefused:
            says(
                "Not a room's upgrade",
                "Open a new connection and send GET /rooms with Upgrade: websocket, version 13 and the "
                    + "subprotocol qring.v1.",
                "룸 연결 요청이 아닙니다", "새 연결에서 Upgrade: websocket, 버전 13, 하위 프로토콜 qring.v1로 GET /rooms를 보내세요.")
        case .notFound:
            says(
                "Not found", "There is no such {thing}. Check the id or the address.",
                "찾을 수 없습니다", "해당 {thing}이(가) 없습니다. ID나 주소를 확인하세요.")
        case .addressNotFetched:
            says(
                "Address not fetched",
                "The file could not be fetched: {reason}. Download it, and send the file itself.",
                "가져올 수 없는 주소", "파일을 가져오지 못했습니다: {reason}. 직접 내려받아 파일을 보내세요.")
        case .notSignedIn:
            says(
                "Not signed in", "Sign in, and send the access token as Authorization: Bearer.",
                "로그인이 필요합니다", "로그인한 뒤 액세스 토큰을 Authorization: Bearer로 보내세요.")
        case .wrongCredentials:
            says(
                "Not accepted",
                "The e-mail address, the password or the token is wrong or used up. Try again or sign in "
                    + "anew.",
                "로그인할 수 없습니다", "이메일, 비밀번호 또는 토큰이 틀렸거나 이미 사용되었습니다. 다시 로그인하세요.")
        case .signInEnded:
            says(
                "Signed out for your safety",
                "This sign-in was renewed in two places, so somebody may have copied it. It has ended "
                    + "everywhere. Sign in again.",
                "안전을 위해 로그아웃되었습니다", "이 로그인이 두 곳에서 갱신되었습니다. 복사되었을 수 있어 모두 종료했습니다. 다시 로그인하세요.")
        case .receiptNotValid:
            says(
                "Receipt not valid",
                "The receipt is missing, forged or withdrawn. Check in, and use the receipt from that "
                    + "answer.",
                "유효하지 않은 확인증", "확인증이 없거나 위조되었거나 취소되었습니다. 체크인하고 받은 확인증을 쓰세요.")
        case .notAllowed:
            says(
                "Not allowed", "Your account lacks the role for this. Ask an owner of the meeting.",
                "권한이 없습니다", "이 작업을 할 권한이 없습니다. 모임 소유자에게 문의하세요.")
        case .originNotAllowed:
            says(
                "Origin not allowed", "This can only be sent from the server's own pages.",
                "허용되지 않는 출처", "이 서버의 페이지에서만 보낼 수 있습니다.")
        case .signUpClosed:
            says(
                "Sign-up is closed", "This server takes no new accounts by itself. Ask its operator.",
                "가입이 닫혀 있습니다", "이 서버는 새 계정을 받지 않습니다. 운영자에게 문의하세요.")
        case .setupTokenRequired:
            says(
                "Set-up token needed",
                "The first account becomes the operator. Enter the set-up token: the server printed it at "
                    + "its start, "
                    + "and the file setup-token in its data folder has it.",
                "설정 토큰이 필요합니다", "첫 계정은 운영자의 계정입니다. 서버가 시작할 때 출력한 설정 토큰을 입력하세요. 데이터 폴더의 setup-token 파일에도 있습니다."
            )
        case .setupTokenNotValid:
            says(
                "Wrong set-up token",
                "Check the token. It is in the file setup-token of the server's data folder.",
                "설정 토큰이 올바르지 않습니다", "토큰을 확인하세요. 서버 데이터 폴더의 setup-token 파일에 있습니다.")
        case .tooManyAttempts:
            says(
                "Too many failed attempts", "Wait {seconds} seconds, then try again.",
                "실패가 너무 많습니다", "{seconds}초 뒤에 다시 시도하세요.")
        case .emailTaken:
            says(
                "Address in use",
                "There is an account with this e-mail address. Sign in with it, or use another address.",
                "이미 쓰이는 주소", "이 이메일로 된 계정이 있습니다. 로그인하거나 다른 주소를 쓰세요.")
        case .sessionOverlap:
            says(
                "Sessions overlap",
                "{name} is at that time. Choose another time, or send allowOverlap: true.",
                "회차가 겹칩니다", "그 시간에 {name} 모임이 있습니다. 다른 시간을 고르거나 allowOverlap: true를 보내세요.")
        case .sessionOver:
            says(
                "The session is over", "This cannot be changed after the end.",
                "회차가 끝났습니다", "끝난 뒤에는 바꿀 수 없습니다.")
        case .sessionHasAttendees:
            says(
                "There are attendees already",
                "How people are identified can change only before anybody is in.",
                "이미 참석자가 있습니다", "식별 방법은 아무도 없을 때만 바꿀 수 있습니다.")
        case .confirmationNeeded:
            says(
                "Confirmation needed",
                "{count} check-ins would be deleted. Repeat with ?confirm={name} to do it.",
                "확인이 필요합니다", "체크인 {count}건이 삭제됩니다. 진행하려면 ?confirm={name}을 붙여 다시 보내세요.")
        case .limitReached:
            says(
                "Limit reached", "There may be at most {limit} of these: {thing}.",
                "한도에 도달했습니다", "{thing}은(는) 최대 {limit}개까지입니다.")
        case .alreadyOnRoster:
            says(
                "Already on the roster",
                "{name} has this place, e-mail address or number. Edit that entry, or unarchive it.",
                "이미 명단에 있습니다", "{name} 님이 같은 자리, 이메일 또는 번호를 쓰고 있습니다. 그 항목을 고치거나 보관을 해제하세요.")
        case .versionMismatch:
            says(
                "Changed meanwhile",
                "Somebody else changed it. Look at it as it is now, and make your change again (with the "
                    + "new ETag).",
                "그사이 바뀌었습니다", "다른 사람이 먼저 바꾸었습니다. 지금 내용을 보고 다시 바꾸세요(새 ETag로).")
        case .preconditionRequired:
            says(
                "Which version did you see?",
                "Somebody else may be editing it too. Read it, and send its ETag as If-Match, or If-Match: "
                    + "* to overwrite whatever is there.",
                "어느 버전을 보았나요?",
                "다른 사람도 고치고 있을 수 있습니다. 먼저 읽고 그 ETag를 If-Match로 보내세요. 무엇이 있든 덮어쓰려면 If-Match: *를 보내세요.")
        case .idempotencyKeyUsed:
            says(
                "Key used otherwise",
                "Another request was sent with this Idempotency-Key. Send this one with a key of its own.",
                "다른 요청에 쓰인 키", "이 Idempotency-Key는 다른 요청에 쓰였습니다. 새 키로 보내세요.")
        case .codeNotValid:
            says(
                "Code not valid",
                "The code is wrong or has been renewed. Scan or type the one that is shown now.",
                "유효하지 않은 코드", "코드가 틀렸거나 바뀌었습니다. 지금 보이는 코드를 다시 스캔하거나 입력하세요.")
        case .grantNotValid:
            says(
                "Start again", "This form has expired or is another browser's. Scan or type the code again.",
                "다시 시작하세요", "이 양식은 만료되었거나 다른 브라우저의 것입니다. 코드를 다시 스캔하거나 입력하세요.")
        case .checkInNotOpen:
            says(
                "Check-in is not open yet", "It opens at {time}.",
                "아직 체크인 시간이 아닙니다", "{time}에 열립니다.")
        case .checkInClosed:
            says(
                "Check-in is closed", "It closed at {time}. Ask the host to add you.",
                "체크인이 끝났습니다", "{time}에 닫혔습니다. 진행자에게 추가를 부탁하세요.")
        case .attendeeExists:
            says(
                "There already",
                "Somebody with this e-mail address or number is in the session. Correct that record.",
                "이미 있는 참석자", "이 이메일이나 번호를 쓰는 참석자가 이미 있습니다. 그 기록을 고치세요.")
        case .cannotBeUndone:
            says(
                "Cannot be undone",
                "This is no correction, or what it changed is no longer kept. Correct the record instead.",
                "되돌릴 수 없습니다", "정정이 아니거나 이전 내용이 더 이상 보관되지 않습니다. 기록을 직접 고치세요.")
        case .changedSince:
            says(
                "Changed since",
                "Something later changed the same record. Undo that first, or correct the record.",
                "그 뒤에 바뀌었습니다", "같은 기록이 그 뒤에 바뀌었습니다. 나중 것을 먼저 되돌리거나 기록을 직접 고치세요.")
        case .lastOwner:
            says(
                "The last owner", "A meeting keeps an owner. Make somebody else an owner first.",
                "마지막 소유자", "모임에는 소유자가 있어야 합니다. 먼저 다른 사람을 소유자로 만드세요.")
        case .lastOperator:
            says(
                "The only operator",
                "A server needs an operator. First make another account an operator: "
                    + "stop the server, and run qring admin user operator EMAIL on its machine.",
                "유일한 운영자입니다",
                "서버에는 운영자가 있어야 합니다. 먼저 서버를 멈추고 그 컴퓨터에서 qring admin user operator EMAIL로 다른 사람을 운영자로 지정하세요.")
        case .alreadyMember:
            says(
                "A member already", "The account with this address is a member. Change its role instead.",
                "이미 구성원입니다", "이 주소의 계정은 이미 구성원입니다. 역할을 바꾸세요.")
        case .invitationNotValid:
            says(
                "Invitation not valid",
                "It is for another address, used up, expired or taken back. Ask the owner for a new one.",
                "유효하지 않은 초대", "다른 주소로 보낸 것이거나 이미 쓰였거나 만료 또는 취소되었습니다. 소유자에게 새 초대를 부탁하세요.")
        case .notAnImage:
            says(
                "Not a JPEG or PNG",
                "The content must be JPEG or PNG, whatever the file is called, of {limit} at most. Save the "
                    + "picture as one of these.",
                "JPEG나 PNG가 아님", "파일 이름과 관계없이 내용이 JPEG나 PNG여야 합니다(최대 {limit}). 이 형식으로 저장해서 보내세요.")
        case .imageNotUsable:
            says(
                "Image not usable",
                "The picture is damaged, or has more than {limit} million pixels. Send a smaller one.",
                "쓸 수 없는 이미지", "이미지가 손상되었거나 {limit}백만 화소를 넘습니다. 더 작은 것을 보내세요.")
        case .feedbackNotOpen:
            says(
                "Feedback is not open yet", "It opens at {time}.",
                "아직 피드백 시간이 아닙니다", "{time}에 열립니다.")
        case .feedbackClosed:
            says(
                "Feedback is closed", "Answers are no longer taken. Ask the host to open it again.",
                "피드백이 끝났습니다", "더 이상 답변을 받지 않습니다. 진행자에게 다시 열어 달라고 하세요.")
        case .alreadyResponded:
            says(
                "Answered already", "Your answers are in. Everybody answers once.",
                "이미 답변했습니다", "답변이 저장되어 있습니다. 한 사람이 한 번만 답합니다.")
        case .questionsLocked:
            says(
                "Questions are locked",
                "There are responses: only words may change, and optional questions may be added at the end.",
                "질문이 잠겼습니다", "답변이 있어서 문구만 바꾸거나 선택 질문을 끝에 추가할 수 있습니다.")
        case .anonymityFixed:
            says(
                "Anonymity is fixed",
                "These questions were opened or shown, so whether answers are anonymous can no longer "
                    + "change. Make a new set instead.",
                "익명 여부를 바꿀 수 없습니다", "이미 열렸거나 참석자에게 보인 질문이라 익명 여부를 바꿀 수 없습니다. 새 질문 묶음을 만드세요.")
        case .anonymityChanged:
            says(
                "The form has changed",
                "Nothing was stored. Read the form again, then decide whether to send your answers.",
                "양식이 바뀌었습니다", "저장된 것은 없습니다. 양식을 다시 확인한 뒤 답변을 보낼지 정하세요.")
        case .noQuestions:
            says(
                "No questions", "The host has asked nothing here.",
                "질문이 없습니다", "진행자가 등록한 질문이 없습니다.")
        case .unknownRoom:
            says(
                "Unknown room", "Rooms are session:<id>, presenter:<id>, audience:<id> and home.",
                "알 수 없는 룸", "룸은 session:<id>, presenter:<id>, audience:<id>, home입니다.")
        case .notJoined:
            says("Not joined", "Join the room first.", "참여하지 않은 룸", "먼저 룸에 참여하세요.")
        case .tooManyRooms:
            says(
                "Too many rooms",
                "A connection may be in at most {limit} rooms. Leave one, or open another connection.",
                "룸이 너무 많습니다", "한 연결은 최대 {limit}개 룸에 들어갈 수 있습니다.")
        case .internalError:
            says(
                "Something broke", "This is a defect of the server. Tell its operator the request id.",
                "서버 오류", "서버의 결함입니다. 운영자에게 요청 ID를 알려 주세요.")
        case .overloaded:
            says(
                "Busy", "The server has its hands full. Try again in a moment; nothing was changed.",
                "서버가 바쁩니다", "잠시 뒤에 다시 시도하세요. 바뀐 것은 없습니다.")
        case .storageUnavailable:
            says(
                "Storage unavailable",
                "Nothing was saved. Try again in a moment; if it stays, tell the operator.",
                "저장소를 쓸 수 없습니다", "저장되지 않았습니다. 잠시 뒤 다시 시도하고, 계속되면 운영자에게 알리세요.")
        case .storageFull:
            says(
                "Storage is full",
                "Nothing was saved. The operator must make room: free disk space, or raise the quota or the "
                    + "limit on file sizes.",
                "저장 공간이 가득 찼습니다", "저장되지 않았습니다. 운영자가 디스크 공간을 비우거나 할당량 또는 파일 크기 한도를 늘려야 합니다.")
        }
    }
}
