/// The default terms that a new host accepts. The operator can replace them.
extension Phrase.Page {
    package static let terms = Phrase(
        """
        You run meetings here. What you enter about yourself and about the attendees of your meetings is \
        stored on this server, and its operator can read it.

        Enter only what you may pass on, tell your attendees that their attendance is recorded, and delete \
        what you no longer need. Anonymous feedback is stored without names; do not try to find out who gave \
        an answer.

        You can delete your account at any time. Everything that only you own is deleted with it.
        """,
        """
        여기에서 모임을 진행합니다. 본인과 모임 참석자에 대해 입력한 내용은 이 서버에 저장되며, 서버 운영자가 볼 수 \
        있습니다.

        전달해도 되는 정보만 입력하고, 참석자에게 출석이 기록된다는 사실을 알리고, 더 이상 필요 없는 정보는 \
        삭제하세요. 익명 피드백은 이름 없이 저장됩니다. 누구의 답변인지 알아내려 하지 마세요.

        계정은 언제든지 삭제할 수 있으며, 본인만 소유한 모든 것이 함께 삭제됩니다.
        """)
}
