// The guard against SIGBUS, in processes of its own.

import CTestSupport
import Glibc
import Testing

@Suite struct MemoryGuardTests {
    @Test(
        "guards nest: memory that is gone reads as zeros, and the guards of it learn of it, those of other memory not")
    func nested() { #expect(test_guard(TEST_GUARD_NESTED) == 0) }

    @Test(
        "any other SIGBUS ends the process as if there were no handler",
        arguments: [TEST_GUARD_OTHER_MEMORY, TEST_GUARD_ENDED, TEST_GUARD_SENT])
    func others(what: test_guard_case) { #expect(test_guard(what) == -SIGBUS) }
}
