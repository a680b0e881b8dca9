// The configuration of keyboards, for a server that takes over.

import MullionKeymaps

/// A `KeyboardConfiguration`, which itself is coded as in the configuration file.
struct SavedKeyboard: Codable {
    struct Layout: Codable {
        var rules: String
        var model: String
        var layout: String
        var variant: String
        var options: String

        init(_ layout: KeyboardLayout) {
            (rules, model, self.layout) = (layout.rules, layout.model, layout.layout)
            (variant, options) = (layout.variant, layout.options)
        }

        var value: KeyboardLayout {
            var result = KeyboardLayout()
            (result.rules, result.model, result.layout) = (rules, model, layout)
            (result.variant, result.options) = (variant, options)
            return result
        }
    }

    var layout: Layout
    var applications: [String: Layout]
    var repeatRate: Int32
    var repeatDelay: Int32

    init(_ configuration: KeyboardConfiguration) {
        layout = Layout(configuration.layout)
        applications = configuration.applications.mapValues { Layout($0) }
        repeatRate = configuration.repeatRate
        repeatDelay = configuration.repeatDelay
    }

    var configuration: KeyboardConfiguration {
        var result = KeyboardConfiguration()
        result.layout = layout.value
        result.applications = applications.mapValues(\.value)
        result.repeatRate = repeatRate
        result.repeatDelay = repeatDelay
        return result
    }
}
