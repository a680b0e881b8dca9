// The service on a real systemd: admission, watchdog, reload and stop.

import Testing

@Suite(.enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"))
struct ServiceTests {
    /// The installation with which these tests begin.
    private static let installed = #"""
        "$package/Config/install" --binaries "$binaries" >/dev/null
        systemctl enable --quiet --now mullion.socket mullion-control.socket
        useradd --groups mullion member
        useradd stranger

        """#

    @Test("The server starts when a client connects; its group is admitted, others are refused by the kernel")
    func activation() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                say users "$(id -un mullion)" "$(getent group mullion-admin | cut -d : -f 1)"
                say sockets "$(stat -c '%n %U:%G %a' /run/mullion/wayland-0 /run/mullion/control.sock | paste -sd ' ')"
                say before "$(property ActiveState)"
                say stranger "$(as stranger wayland-info 2>&1)"
                say still "$(property ActiveState)"
                say member "$(as member wayland-info | grep -c mullion_application_v1)"
                say after "$(property ActiveState)/$(property SubState)" "$(property StatusText)"
                pid=$(property MainPID)
                of() { sed -n "s/^$1:\t//p" "/proc/$pid/status"; }
                say runs "$(stat -c %U "/proc/$pid")" "$(of CapEff)" "$(of NoNewPrivs)"
                # A container may allow less.
                most=$(ulimit -Hn)
                [ "$(awk '/^Max open files/ { print $4 }' "/proc/$pid/limits")" = $((most < 65536 ? most : 65536)) ]
                say limit "$?"
                say control "$(mullionctl status | sed -n 's/^health *//p')"
                say stranger "$(as stranger mullionctl status 2>&1)"
                say member "$(as member mullionctl status 2>&1)"
                usermod --groups mullion-admin stranger
                say admin "$(as stranger mullionctl status 2>&1)"
                fields() { journalctl --no-pager --output=json --unit=mullion.service MULLION_REFUSAL=control; }
                await eval 'fields | grep -q "needs the right"'
                say fields "$(fields | grep -o '"PRIORITY":"[0-9]*"' | head -n 1)"
                as member mullionctl claim title=mine >/dev/null &
                await eval 'mullionctl windows | grep -q mine'
                say name "$(mullionctl windows | grep -o mullionctl)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["users"] == ["mullion mullion-admin"], "\(transcript)")
        let sockets = "/run/mullion/wayland-0 root:mullion 660 /run/mullion/control.sock root:mullion-admin 660"
        #expect(transcript["sockets"] == [sockets], "\(transcript)")
        #expect(transcript["before"] == ["inactive"] && transcript["still"] == ["inactive"], "\(transcript)")
        let refusals = transcript["stranger"]
        #expect(refusals.first?.contains("Permission denied") == true, "\(transcript)")
        let socket = "/run/mullion/control.sock"
        let reason = "mullionctl: you may not connect to \(socket); root and the group mullion-admin may"
        #expect(refusals.last == reason, "\(transcript)")
        #expect(transcript["member"] == ["1", reason], "\(transcript)")
        #expect(transcript["after"] == ["active/running Serving on /run/mullion/wayland-0"], "\(transcript)")
        #expect(transcript["runs"] == ["mullion 0000000000000000 1"], "\(transcript)")
        #expect(transcript["limit"] == ["0"], "\(transcript)")
        #expect(transcript["control"].first?.contains("1 screen") == true, "\(transcript)")
        // Access to the socket does not grant rights: the policy does.
        #expect(transcript["admin"].first?.contains("needs the right view") == true, "\(transcript)")
        #expect(transcript["fields"] == [#""PRIORITY":"4""#], "\(transcript)")
        // Program names are visible in the sandbox too: policies use them.
        #expect(transcript["name"] == ["mullionctl"], "\(transcript)")
    }

    @Test("A stalled server is killed by the watchdog and restarted; clients that connect meanwhile are served")
    func watchdog() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                mkdir -p /etc/systemd/system/mullion.service.d
                printf '[Service]\nWatchdogSec=2s\n' >/etc/systemd/system/mullion.service.d/quick.conf
                systemctl daemon-reload
                mullionctl status >/dev/null
                first=$(property MainPID)
                fed=$(property WatchdogTimestampMonotonic)
                await eval '[ "$(property WatchdogTimestampMonotonic)" -gt "$fed" ]'
                say healthy "$(property NRestarts)"
                kill -STOP "$first"
                say patient "$(as member wayland-info | grep -c mullion_application_v1)"
                await is NRestarts 1
                await is SubState running
                [ "$(property MainPID)" != "$first" ] && say anew yes
                await wrote 'Watchdog timeout'
                await wrote 'Failed with result .watchdog'
                say served "$(mullionctl status | sed -n 's/^health *//p')"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["healthy"] == ["0"], "\(transcript)")
        #expect(transcript["patient"] == ["1"], "\(transcript)")
        #expect(
            transcript["anew"] == ["yes"] && transcript["served"].first?.contains("1 screen") == true, "\(transcript)")
    }

    @Test("A reload applies a valid configuration and refuses an invalid one with the reason, keeping the old one")
    func reload() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                as member mullionctl claim title=kept >/dev/null &
                await eval 'mullionctl windows | grep -q kept'
                pid=$(property MainPID)
                cd /etc/mullion
                echo '{ keyboard: { layout: "de" }, log: { level: "debug" } }' >mullion.json5
                systemctl reload mullion.service
                say good "$?"
                await eval 'mullionctl keyboard | grep -q de'
                await wrote 'configuration reloaded'
                echo '{ keyboard: { layout: "fr" }, bogus: 1 }' >mullion.json5
                systemctl reload mullion.service 2>/dev/null
                say bad "$?"
                # Without the check that the service manager makes first.
                kill -HUP "$pid"
                await wrote 'configuration not reloaded: .*unknown key "bogus"'
                await eval 'property StatusText | grep -q "an error in the new one"'
                say layout "$(mullionctl --json keyboard | tr -d ' \n' | grep -o '"layout":"[a-z]*"' | head -1)"
                echo '{ }' >mullion.json5
                systemctl reload mullion.service
                await is StatusText 'Serving on /run/mullion/wayland-0'
                say kept "$(mullionctl windows | grep -c kept)"
                [ "$(property MainPID)" = "$pid" ] && say same yes
                say state "$(property ActiveState)" "$(property NRestarts)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["good"] == ["0"] && transcript["bad"] == ["1"], "\(transcript)")
        #expect(transcript["layout"] == [#""layout":"de""#], "\(transcript)")
        #expect(transcript["kept"] == ["1"] && transcript["same"] == ["yes"], "\(transcript)")
        #expect(transcript["state"] == ["active 0"], "\(transcript)")
    }

    @Test("A stop lets a pending request finish, ends with status 0, and the next client starts the server again")
    func stop() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                as member mullionctl claim title=target frame=0,0,400,400 >/tmp/events &
                await eval 'mullionctl windows | grep -q target'
                mullionctl drag BUILTIN-1 10,10 300,300 steps=50 >/tmp/answer 2>&1 &
                drag=$!
                await grep -qi touch /tmp/events
                systemctl stop mullion.service 2>/dev/null
                wait "$drag"
                say drag "$?" "$(head -1 /tmp/answer)"
                say events "$(grep -ci ended /tmp/events)"
                say ended "$(property ActiveState)" "$(property Result)" "$(property ExecMainStatus)"
                await wrote '^stopping$'
                await wrote 'Deactivated successfully'
                say again "$(mullionctl status | sed -n 's/^health *//p')"
                echo '{ bogus: 1 }' >/etc/mullion/mullion.json5
                systemctl stop mullion.service 2>/dev/null
                systemctl start mullion.service 2>/dev/null
                say wrong "$(property Result)" "$(property NRestarts)" "$(property StatusText)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["drag"].first?.hasPrefix("0 ") == true, "\(transcript)")
        #expect(transcript["ended"] == ["inactive success 0"], "\(transcript)")
        #expect(transcript["again"].first?.contains("1 screen") == true, "\(transcript)")
        // A server that cannot run is not restarted again and again, and the status gives the reason.
        let words = "exit-code 0 /etc/mullion/mullion.json5:1:3: "
        #expect(transcript["wrong"].first?.hasPrefix(words) == true, "\(transcript)")
    }

    @Test("A user can have a private server from the same units")
    func ownServer() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                useradd --create-home owner
                id=$(id -u owner)
                systemctl start "user@$id.service"
                own() { runuser -u owner -- env "XDG_RUNTIME_DIR=/run/user/$id" "$@"; }
                own systemctl --user start mullion.socket mullion-control.socket
                say display "$(own env WAYLAND_DISPLAY=mullion/wayland-0 wayland-info | grep -c mullion_application_v1)"
                say status "$(own mullionctl status | sed -n 's/^socket *//p')" "/run/user/$id/mullion/wayland-0"
                own systemctl --user start mullion@second.socket mullion-control@second.socket
                own env WAYLAND_DISPLAY=mullion@second/wayland-0 mullionctl claim title=elsewhere >/dev/null &
                await eval 'own mullionctl --server second windows | grep -q elsewhere'
                say first "$(own mullionctl windows | grep -c elsewhere)"
                say type "$(own systemctl --user show mullion.service -P ActiveState)"
                say system "$(property ActiveState)"
                unit=/usr/local/lib/systemd/user/mullion.service
                say verify "$(own systemd-analyze --user verify "$unit" 2>&1 | grep mullion)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["display"] == ["1"] && transcript["type"] == ["active"], "\(transcript)")
        let sockets = transcript["status"].first?.split(separator: " ") ?? []
        #expect(sockets.count == 2 && sockets.first == sockets.last, "\(transcript)")
        #expect(transcript["first"] == ["0"], "\(transcript)")
        #expect(transcript["system"] == ["inactive"] && transcript["verify"] == [""], "\(transcript)")
    }
}
