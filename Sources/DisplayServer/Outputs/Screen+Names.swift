// How programs and people know a screen.

import Displays
import WindowModel

extension Screen {
    /// The manufacturer, by its name where the display's EDID has only its three letters.
    var make: String { VendorNames.installed[properties.vendor] ?? properties.vendor }

    /// A description for choosing a screen: "Dell Inc. DELL U2415 7MT0167B2YNL (HDMI-A-1)". wlroots makes it in the same
    /// way, so that what users have configured for its servers finds the screen here, too.
    var localizedDescription: String {
        [make, properties.model, properties.serial, "(\(name))"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
