// Keys of several seats.

import TestSupport

@testable import DisplayServer

extension SeatFixture {
    func key(_ code: UInt32, _ pressed: Bool, by seat: Int) throws {
        try seats[seat].keyboard.press(key: code, pressed: pressed)
    }
}
