import AnonymityAttacks
import Testing

@Suite(.waitingThreads) struct AnonymityAttackTests {
    @Test(arguments: AnonymityAttack.all)
    func `an attack by somebody with the tables links nothing`(_ attack: AnonymityAttack) async throws {
        try await attack.check(AttackedSchemas())
    }
}
