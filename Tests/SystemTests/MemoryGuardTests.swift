// The SIGBUS guard, in separate processes.

import CTestSupport
import Glibc
import Testing

@Suite struct MemoryGuardTests {
    @Test(
        "guards nest: truncated memory reads as zeros, and only its own guards report it")
    func nested() { #expect(test_guard(TEST_GUARD_NESTED) == 0) }

    @Test(
        "any other SIGBUS ends the process as if there were no handler",
        arguments: [TEST_GUARD_OTHER_MEMORY, TEST_GUARD_ENDED, TEST_GUARD_SENT])
    func others(what: test_guard_case) { #expect(test_guard(what) == -SIGBUS) }
}
