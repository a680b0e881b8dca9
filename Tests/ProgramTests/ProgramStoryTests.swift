// Programs of many toolkits live through the same story.

import TestSupport
import Testing

@Suite struct ProgramStoryTests {
    @Test(
        "programs of every toolkit show, take input, open menus, and live through unplugging, turning and scaling",
        arguments: StoryProgram.small.filter(\.isInstalled))
    func story(program: StoryProgram) throws { try ProgramStory(program).run() }
}

/// One after the other, because each of them alone uses all of the machine.
@Suite(.serialized) struct LargeProgramStoryTests {
    @Test(
        "browsers under Selenium, and LibreOffice, live through the same story",
        arguments: [StoryProgram.chromium, .firefox, .office].filter(\.isInstalled))
    func story(program: StoryProgram) throws { try ProgramStory(program).run() }
}
