// The screens that are plugged in, for a server that starts after this one has crashed.

import MullionSystem
import MullionWayland
import StateCoding
import WindowModel

/// A plugged-in screen with its current settings.
private struct SavedScreen: Codable {
    var description: ScreenDescription
    var options: PlugOptions
    var isEnabled: Bool
}

extension DisplayServer {
    /// The state of all plugged-in screens, in sealed memory; nil when there is no more memory.
    public func pluggedScreensFile() -> OwnedDescriptor? {
        let screens = model.pluggedScreens.map {
            SavedScreen(
                description: $0.properties, options: plugOptions(of: $0.name), isEnabled: $0.isEnabled)
        }
        guard let payload = try? StateEncoder.encode(screens) else { return nil }
        return HandOver.memoryFile(holding: HandOver(payload: payload, descriptors: []).state, name: "mullion-screens")
    }

    /// Plugs in the screens that were plugged in at a server that crashed.
    /// - Throws: why the memory cannot be read. An invalid screen is omitted, and the log says why.
    public func plugScreens(keptIn file: Int32) throws(HandOverError) {
        let payload = try HandOver(taking: file, []).payload()
        let screens: [SavedScreen]
        do {
            screens = try StateDecoder.decode([SavedScreen].self, from: Array(payload))
        } catch {
            throw HandOverError((error as? DecodingError)?.explanation ?? "\(error)")
        }
        for saved in screens {
            do throws(ModelError) {
                try saved.description.checked()
                let id = try connect(saved.description, options: saved.options)
                if !saved.isEnabled { try switchOff(id) }
            } catch {
                log(.warning, "screen \(saved.description.name) is not plugged in again: \(error)")
            }
        }
    }
}
