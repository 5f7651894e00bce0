import Meetings
import Testing

/// Tests of the rules by which a kiosk finds a guest.
@Suite struct KioskTests {
    private func attendee(_ name: String, _ identity: String = "") -> Attendee {
        Attendee(id: .makeTimeless(), sessionID: SessionID(high: 1, low: 1), name: name, identity: identity)
    }

    private func find(_ typed: String, ending: String? = nil, among all: [Attendee], areAll: Bool = true)
        -> Kiosk.Found
    {
        Kiosk.find(KioskName(typed), ending: ending, among: all, areAll: areAll)
    }

    @Test(arguments: [
        ("kim", "Kim Jisoo", KioskName.Match.beginning), ("KIM JISOO", "Kim Jisoo", .whole),
        ("jis", "Kim Jisoo", .beginning), ("marie", "Anne-Marie", .beginning), ("김지수", "김지수", .whole),
        ("김지", "김지", .whole), ("straße", "STRASSE", .whole), ("  kim  jisoo ", "Kim Jisoo", .whole),
        ("o'n", "O'Neil", .beginning),
    ])
    func `a text matches the whole name, or the beginning of a word in it`(
        typed: String, name: String, match: KioskName.Match
    ) {
        #expect(KioskName(typed).match(name) == match)
    }

    @Test(arguments: [
        ("ki", "Kim Jisoo"), ("김지", "김지수"), ("isoo", "Kim Jisoo"), ("kim jisoo lee", "Kim Jisoo"),
        ("—", "—"), ("soo", "Kim Jisoo"), ("%%%", "Kim Jisoo"),
    ])
    func `fewer than three letters, the middle of a word and a deleted name match nothing`(
        typed: String, name: String
    ) {
        #expect(KioskName(typed).match(name) == nil)
    }

    @Test func `a kiosk shows no more of a name than a guest has typed`() {
        #expect(KioskName("jis").shown(of: "Kim Jisoo", .beginning) == "jis…")
        #expect(KioskName("kim jisoo").shown(of: "Kim Jisoo", .whole) == "Kim Jisoo")
    }

    @Test func `one match is a question, several are none, and the whole name comes before longer ones`() {
        let (kim, jisoo, lee) = (attendee("Kim"), attendee("Kim Jisoo"), attendee("Lee"))
        #expect(find("lee", among: [kim, jisoo, lee]) == .one(lee, .whole))
        #expect(find("jis", among: [kim, jisoo, lee]) == .one(jisoo, .beginning))
        #expect(find("kim", among: [kim, jisoo, lee]) == .one(kim, .whole))
        #expect(find("kim", among: [jisoo, attendee("Kim Minsu")]) == .more)
        #expect(find("par", among: [kim, jisoo, lee]) == .nobody)
        #expect(find("pa", among: [kim]) == .tooShort)
        // If not all names were compared, nobody is told that one is missing.
        #expect(find("par", among: [], areAll: false) == .more)
        #expect(find("kim", among: [kim], areAll: false) == .more)
    }

    @Test func `people of one name are told apart by the end of the number or the start of the address`() {
        let (one, two) = (attendee("Kim", "20260041"), attendee("Kim", "20260042"))
        #expect(find("kim", among: [one, two]) == .severalOfName)
        #expect(find("kim", ending: "41", among: [one, two]) == .one(one, .whole))
        #expect(find("kim", ending: "43", among: [one, two]) == .nobody)
        #expect(find("kim", ending: "41", among: [one, attendee("Kim", "1141")]) == .askStaff)
        // Nothing tells these two apart.
        #expect(find("kim", among: [attendee("Kim"), attendee("kim")]) == .askStaff)
        let addresses = [attendee("Kim", "jisoo@example.org"), attendee("Kim", "minsu@example.org")]
        #expect(find("kim", ending: "MI", among: addresses) == .one(addresses[1], .whole))
        #expect(find("kim", ending: "rg", among: addresses) == .nobody)
        // An ending belongs to a whole name, so it finds nobody by a beginning.
        #expect(find("kim", ending: "41", among: [attendee("Kim Jisoo", "20260041")]) == .nobody)
    }
}
