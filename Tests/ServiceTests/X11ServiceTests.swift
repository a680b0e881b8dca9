// X displays as services of a user, on a real systemd.

import TestSupport
import Testing

@Suite(
    .enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"),
    .enabled(if: ["Xwayland", "xterm", "xprop"].allSatisfy(Program.isInstalled)))
struct X11ServiceTests {
    /// A user whose systemd runs; `shows NAME TITLE` waits for an xterm's window on that server.
    private static let installed = #"""
        "$package/Config/install" --binaries "$binaries" >/dev/null
        useradd --create-home owner
        useradd stranger
        id=$(id -u owner)
        systemctl start "user@$id.service"
        own() { runuser -u owner -- env "XDG_RUNTIME_DIR=/run/user/$id" "$@"; }
        x11() { own env "DISPLAY=$1" xterm -T "$2" -e cat 2>/dev/null & }
        lists() { await eval "own mullionctl windows | grep -q $1"; }
        processes() { pgrep -u owner 'xterm|Xwayland|mullion-x11' | paste -sd ' '; }

        """#

    @Test("A user's display: the first program starts it, restarts keep all, and the end of the server only that")
    func display() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                own systemctl --user enable --quiet --now mullion.socket mullion-control.socket mullion-x11@7.socket
                say socket "$(stat -c '%U %a' /tmp/.X11-unix/X7)" "$(stat -c '%U %a' /tmp/.X11-unix)"
                say before "$(own systemctl --user show mullion-x11@7.service -P ActiveState)"
                x11 :7 first
                lists first
                say status "$(own mullionctl --json status | grep -o '":7"')"
                say stranger "$(runuser -u stranger -- env DISPLAY=:7 xprop -root >/dev/null 2>&1; echo $?)"
                kept=$(processes)
                own systemctl --user restart mullion.service
                lists first
                say kept "$([ "$(processes)" = "$kept" ] && echo "$kept" | wc -w)"
                x11 :7 second
                lists second
                own systemctl --user kill --signal=KILL mullion.service
                await eval '! pgrep -u owner xterm'
                x11 :7 third
                lists third
                say third "$(own mullionctl windows | grep -c 'first\|second')"
                own systemctl --user stop mullion-x11@7.socket mullion-x11@7.service
                say left "$(ls /tmp/.X11-unix/X7 /tmp/.X7-lock 2>/dev/null)"
                units=/usr/local/lib/systemd/user
                say verify "$(own systemd-analyze --user verify "$units"/mullion-x11@* 2>&1 | grep mullion)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["socket"] == ["owner 700 root 1777"], "\(transcript)")
        #expect(transcript["before"] == ["inactive"] && transcript["status"] == ["\":7\""], "\(transcript)")
        #expect(transcript["stranger"] == ["1"], "\(transcript)")
        #expect(transcript["kept"] == ["3"] && transcript["third"] == ["0"], "\(transcript)")
        #expect(transcript["left"] == [""] && transcript["verify"] == [""], "\(transcript)")
    }

    @Test("A user's display on the system's server, whose configuration cannot provide it; restarts keep its programs")
    func systemServer() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                usermod --groups mullion owner
                systemctl restart "user@$id.service"
                echo '{ x11: true }' >/etc/mullion/mullion.json5
                systemctl start mullion.socket mullion-control.socket
                own mkdir -p /home/owner/.config/mullion
                echo WAYLAND_DISPLAY=/run/mullion/wayland-0 >/home/owner/.config/mullion/x11@8
                own systemctl --user start mullion-x11@8.socket
                x11 :8 system
                await eval 'mullionctl windows | grep -q system'
                kept=$(processes)
                systemctl restart mullion.service
                await eval 'mullionctl windows | grep -q system'
                say kept "$([ "$(processes)" = "$kept" ] && echo "$kept" | wc -w)"
                await wrote 'systemctl --user enable --now mullion-x11@0.socket'
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["kept"] == ["3"], "\(transcript)")
    }
}
