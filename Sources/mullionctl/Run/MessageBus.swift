// The D-Bus session of mullionctl run.

import MullionControl
import MullionSystem
import Requirements

/// A bus of the command's own, on which no service of the system is started.
///
/// Programs are unique on a bus: on the caller's one, a second instance would make the first one show a window elsewhere.
struct MessageBus {
    private static let program = "dbus-daemon"
    private static let accessibility = "org.a11y.Bus.service"

    static var isInstalled: Bool { Machine.path(of: .dbusDaemon) != nil }

    /// Where it will be.
    static func address(folder: String) -> String { "unix:path=\(folder)/bus" }

    let helper: HelperProgram
    var address: String { helper.ready }

    /// Starts it.
    /// - Parameters:
    ///   - folder: the runtime directory. Services of `dbus-1/services` in it are started when programs look for them.
    ///   - environment: that of services.
    ///   - accessibility: whether the accessibility bus is one of them.
    init(
        folder: String, environment: [String: String], accessibility: Bool, log: String
    ) throws(CommandError) {
        guard Self.isInstalled else {
            throw .refused("--accessibility: \(Self.program) is not installed; \(Requirement.dbusDaemon.remedy)")
        }
        let services = folder + "/dbus-1/services"
        try Folder.make(services)
        if accessibility { try Picture.save(try Self.accessibilityService(), as: "\(services)/\(Self.accessibility)") }
        let configuration = folder + "/dbus-1/session.conf"
        try Picture.save(Array(Self.configuration(services).utf8), as: configuration)
        var environment = environment
        // Another implementation wants a service manager.
        environment["ATSPI_DBUS_IMPLEMENTATION"] = Self.program
        helper = try HelperProgram(
            Self.program, what: "the D-Bus session",
            ["--config-file=" + configuration, "--nofork", "--nopidfile", "--print-address=3"],
            environment: environment, log: log)
    }

    private static func accessibilityService() throws(CommandError) -> [UInt8] {
        let bus = Requirement.accessibilityBus
        guard let bytes = Machine.path(of: bus).flatMap({ try? DescriptorIO.contents(ofFile: $0) }) else {
            throw .refused("--accessibility: \(bus.title) is not installed; \(bus.remedy)")
        }
        return bytes
    }

    private static func configuration(_ services: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:runtime=yes</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(Markup.escape(services))</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>

        """
    }
}
