extension CommandPhrases {
    /// Of corrections, members and pictures.
    package enum Correct {
        package static let add = Phrase("add somebody who could not scan", "스캔하지 못한 사람 추가")
        package static let addExample = Phrase("came at 19:04, and could not scan", "19:04에 왔고 스캔하지 못함")
        package static let edit = Phrase(
            "set somebody's status, true time, name or note", "상태, 실제 시각, 이름, 메모 고치기")
        package static let editExample = Phrase("was there in time, whatever the scan says", "스캔과 달리 제시간에 왔음")
        package static let remove = Phrase(
            "take somebody out; can be undone for a day", "참석자 빼기, 하루 동안 되돌릴 수 있음")
        package static let merge = Phrase("make one of two records of one person", "한 사람의 두 기록을 하나로 합치기")
        package static let mergeExample = Phrase("the first goes, the second stays", "앞의 것은 사라지고 뒤의 것이 남음")
        package static let undo = Phrase(
            "reverse one correction, by the number of its event", "이벤트 번호로 정정 하나 되돌리기")
        package static let undoExample = Phrase(
            "the numbers stand in: qring session journal", "번호는 qring session journal에 나옵니다")
        package static let journal = Phrase("what happened, who did it and why", "무슨 일이 있었고 누가 왜 했는지")
        package static let review = Phrase(
            "what is unusual about the check-ins, as evidence", "체크인에서 눈에 띄는 점 (근거로만)")
        package static let attendee = Phrase("id, name, e-mail address or number", "ID, 이름, 이메일 또는 번호")
        package static let sequence = Phrase("number of the event", "이벤트 번호")
        package static let at = Phrase("when they came: 19:04, or RFC 3339", "온 시각: 19:04 또는 RFC 3339")
        package static let note = Phrase("why, for the journal and the members", "이유 (기록과 구성원용)")
        package static let erase = Phrase("keep nothing, not even for undoing", "되돌리기용 기록도 남기지 않음")
        package static let inSession = Phrase(
            "the session, @ for the nearest (default)", "회차, 기본은 가장 가까운 회차 @")

        package static let members = Phrase("who runs and sees the meeting", "모임을 운영하고 보는 사람")
        package static let invite = Phrase("invite somebody by e-mail address", "이메일로 초대하기")
        package static let role = Phrase("change somebody's role", "역할 바꾸기")
        package static let roleOption = Phrase("what they may do", "할 수 있는 일")
        package static let removeMember = Phrase(
            "remove a member, or take an invitation back", "구성원을 빼거나 초대 취소")
        package static let leave = Phrase("leave a meeting", "모임에서 나가기")
        package static let accept = Phrase("accept an invitation to a meeting", "모임 초대 수락")
        package static let received = Phrase("invitations that wait for you", "나에게 온 초대")
        package static let invitation = Phrase("what you were given, or the id of one", "받은 초대 또는 초대 ID")
        package static let member = Phrase("e-mail address of the member", "구성원의 이메일")

        package static let imageSet = Phrase("put a JPEG or PNG to a meeting", "모임에 JPEG 또는 PNG 이미지 넣기")
        package static let imageGet = Phrase("write the meeting's picture to a file", "모임 이미지를 파일로 저장")
        package static let imageRemove = Phrase("take the meeting's picture away", "모임 이미지 지우기")
        package static let file = Phrase("a file, - for standard input or output", "파일, -는 표준 입출력")

        package static let saidPerson = Phrase("{name}: {status}.", "{name}: {status}")
        package static let saidRemoved = Phrase(
            "{name} is out. To undo it: qring session undo {session} NUMBER, by the number in qring session "
                + "journal {session}",
            "{name} 님을 뺐습니다. 되돌리기: qring session journal {session}에서 번호를 보고 qring session undo {session} 번호")
        package static let saidErased = Phrase("{name} is erased.", "{name} 님의 기록을 지웠습니다.")
        package static let saidMerged = Phrase("One record: {name}, {status}.", "하나로 합쳤습니다: {name}, {status}")
        package static let saidUndone = Phrase("Event {sequence} is undone.", "{sequence}번을 되돌렸습니다.")
        package static let noAttendee = Phrase(
            "nobody in {session} has the id, name, e-mail address or number \"{text}\".",
            "{session}에 ID, 이름, 이메일 또는 번호가 \"{text}\"인 참석자가 없습니다.")
        package static let noMember = Phrase(
            "no member of the meeting has the address {text}.", "이메일이 {text}인 구성원이 없습니다.")
        package static let newStatus = Phrase("what they are to be", "바꿀 상태")
        package static let nothingUnusual = Phrase(
            "Nothing unusual among {count} check-ins.", "체크인 {count}건에서 눈에 띄는 점이 없습니다.")
        package static let invited = Phrase(
            "{email} is invited as {role}. Hand this over: qring meeting accept {invitation}",
            "{email} 님을 {role}(으)로 초대했습니다. 전해 줄 명령: qring meeting accept {invitation}")
        package static let hasAccount = Phrase(
            "The account {name} has that address, and sees the invitation by itself.",
            "그 주소의 계정 {name} 님은 초대를 바로 볼 수 있습니다.")
        package static let isMember = Phrase("{email} is {role}.", "{email}: {role}")
        package static let isRemoved = Phrase("{email} is no member any more.", "{email} 님은 이제 구성원이 아닙니다.")
        package static let hasLeft = Phrase("You have left the meeting.", "모임에서 나갔습니다.")
        package static let joined = Phrase("You are {role} of {name}.", "{name}의 {role}입니다.")
        package static let imageIsSet = Phrase("The meeting has a new picture.", "모임 이미지를 바꿨습니다.")
        package static let imageIsReplaced = Phrase(
            "The meeting's picture is replaced; it had another one.", "모임에 있던 이미지를 새 이미지로 바꿨습니다.")
        package static let imageIsGone = Phrase("The meeting has no picture any more.", "모임 이미지를 지웠습니다.")
        package static let waiting = Phrase("invited until {time}", "{time}까지 초대됨")

        package static let headName = Phrase("NAME", "이름")
        package static let headEmail = Phrase("E-MAIL", "이메일")
        package static let headRole = Phrase("ROLE", "역할")
        /// By what the API calls them.
        package static let events: [String: Phrase] = [
            "created": Phrase("created", "만듦"), "checkedIn": Phrase("checked in", "체크인"),
            "corrected": Phrase("corrected", "정정"),
            "renamed": Phrase("renamed", "이름 변경"), "merged": Phrase("merged", "합침"),
            "withdrawn": Phrase("withdrawn", "철회"),
            "responded": Phrase("responded", "응답"), "edited": Phrase("edited", "변경"),
            "undone": Phrase("undone", "되돌림"),
            "added": Phrase("added", "추가"), "removed": Phrase("removed", "뺌"),
        ]
        package static let headNumber = Phrase("NO", "번호")
        package static let headTime = Phrase("TIME", "시각")
        package static let headEvent = Phrase("EVENT", "일")
        package static let headWhat = Phrase("WHAT", "내용")
        package static let headWho = Phrase("ABOUT", "대상")
        package static let headBy = Phrase("BY", "한 사람")
        package static let headWhy = Phrase("WHY", "이유")
        package static let headMeeting = Phrase("MEETING", "모임")
        package static let headID = Phrase("ID", "ID")
    }
}
