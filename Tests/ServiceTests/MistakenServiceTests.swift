// Mistakes in the configuration on a real systemd: no client is lost, and a correction takes effect immediately.

import Testing

@Suite(.enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"))
struct MistakenServiceTests {
    private static let installed = #"""
        "$package/Config/install" --binaries "$binaries" >/dev/null
        systemctl enable --quiet --now mullion.socket mullion-control.socket
        useradd --groups mullion member
        configure() { echo "$1" >/etc/mullion/mullion.json5; }

        """#

    @Test(
        "a mistake at the first start: clients are refused, the sockets stay, and a correction serves immediately"
    )
    func firstStart() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                configure '{ bogus: 1 }'
                # More often than a limit of starts would allow.
                for attempt in {1..12}; do mullionctl status >/tmp/words 2>&1; done
                say words "$(cat /tmp/words)"
                say client "$(as member wayland-info 2>&1 | grep -c 'cannot start')"
                say sockets "$(systemctl is-active mullion.socket mullion-control.socket | paste -sd ' ')"
                await is ActiveState failed
                say status "$(property StatusText)"
                systemctl restart mullion.service 2>/dev/null
                say restart "$?" "$(property Result)" "$(property NRestarts)"
                configure '{}'
                systemctl restart mullion.service
                say corrected "$?" "$(mullionctl status | sed -n 's/^health *//p')"
                systemctl stop mullion.service 2>/dev/null
                # The next client starts it as well.
                echo 'MULLION_OPTIONS="--bogus"' >/etc/default/mullion
                mullionctl status >/dev/null 2>&1
                await is ActiveState failed
                rm /etc/default/mullion
                say next "$(as member wayland-info | grep -c mullion_application_v1)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        let words = "mullionctl: the server cannot start; its log says why"
        #expect(transcript["words"] == [words] && transcript["client"] == ["1"], "\(transcript)")
        #expect(transcript["sockets"] == ["active active"], "\(transcript)")
        #expect(transcript["status"].first?.contains("unknown key \"bogus\"") == true, "\(transcript)")
        #expect(transcript["restart"] == ["1 exit-code 0"], "\(transcript)")
        #expect(transcript["corrected"].first?.hasPrefix("0 healthy") == true, "\(transcript)")
        #expect(transcript["next"] == ["1"], "\(transcript)")
    }

    @Test(
        "a mistake, or an address that the sandbox forbids, at a restart: clients stay, and a reload refuses it"
    )
    func restart() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                as member mullionctl claim title=kept >/dev/null &
                claim=$!
                await eval 'mullionctl windows | grep -q kept'
                configure '{ bogus: 1 }'
                systemctl restart mullion.service
                say restart "$?" "$(mullionctl windows | grep -c kept)"
                say status "$(property StatusText)"
                await wrote 'continues with the previous configuration'
                systemctl reload mullion.service 2>/dev/null
                say reload "$?"
                configure '{}'
                systemctl reload mullion.service
                say reload "$?"
                await is StatusText 'Serving on /run/mullion/wayland-0'
                # Another file, set in the environment: a reload checks that one.
                echo 'MULLION_OPTIONS="--config /etc/mullion/other.json5"' >/etc/default/mullion
                echo '{}' >/etc/mullion/other.json5
                systemctl restart mullion.service
                echo '{ wrong: 1 }' >/etc/mullion/other.json5
                systemctl reload mullion.service 2>/dev/null
                say reload "$?"
                await wrote '/etc/mullion/other.json5:1:3: unknown key "wrong"'
                echo '{ http: { listen: "127.0.0.1:8080" } }' >/etc/mullion/other.json5
                systemctl reload mullion.service 2>/dev/null
                say reload "$?"
                await wrote 'RestrictAddressFamilies= must list AF_INET'
                systemctl restart mullion.service
                say sandbox "$?" "$(mullionctl windows | grep -c kept)"
                await wrote 'the control API is not served over TCP'
                # Each setting of the sandbox is named in turn.
                mkdir -p /etc/systemd/system/mullion.service.d
                echo '[Service]' >/etc/systemd/system/mullion.service.d/web.conf
                for setting in 'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6' IPAddressAllow=localhost PrivateNetwork=no; do
                    echo "$setting" >>/etc/systemd/system/mullion.service.d/web.conf
                    systemctl daemon-reload
                    systemctl restart mullion.service
                    systemctl reload mullion.service 2>/dev/null
                    say setting "$?" "$(property StatusText)"
                done
                kill -0 $claim
                say runs "$?" "$(mullionctl windows | grep -c kept)"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["restart"] == ["0 1"] && transcript["sandbox"] == ["0 1"], "\(transcript)")
        #expect(transcript["status"].first?.contains("unknown key \"bogus\"") == true, "\(transcript)")
        #expect(transcript["reload"] == ["1", "0", "1", "1"], "\(transcript)")
        let settings = transcript["setting"]
        try #require(settings.count == 3, "\(transcript)")
        // Packet filters depend on the kernel; without them there is nothing to check.
        #expect(settings[0].contains("IPAddressAllow=localhost") || settings[0].contains("PrivateNetwork=no"))
        #expect(settings[1].contains("PrivateNetwork=no"), "\(transcript)")
        #expect(settings[2] == "0 Serving on /run/mullion/wayland-0", "\(transcript)")
        #expect(transcript["runs"] == ["0 1"], "\(transcript)")
    }

    @Test("Prometheus reads the metrics as described in mullion-control(7)")
    func prometheus() throws {
        let transcript = try Machine.boot(
            Self.installed + #"""
                useradd --user-group prometheus
                # An example of the page's section, by its number.
                block() {
                    sed -n '/^\.Ss Prometheus/,/^\.Sh/p' "$package/Config/man/mullion-control.7" |
                        awk -v number="$1" '/^\.Ed/ { inside = 0 } inside; /^\.Bd/ { inside = ++count == number }' |
                        sed 's/\\-/-/g'
                }
                mullionctl status >/dev/null
                configure "{ $(block 1) }"
                block 2 | bash -e >/tmp/words 2>&1
                say done "$?" "$(property StatusText)"
                of() { block 3 | sed -n "s/.*$1\"*\([^\" ]*\).*/\1/p"; }
                file=$(of 'credentials_file: ')
                url="http://$(of 'targets: \[')$(of 'metrics_path: ')"
                say url "$url" "$file"
                read_as() { runuser -u "$1" -- bash -c 'curl --silent --header "Authorization: Bearer $(cat "$0")" "$1"' "$file" "$url"; }
                say metrics "$(read_as prometheus 2>&1 | grep -c '^mullion_')"
                say member "$(read_as member 2>&1 | grep -c '^mullion_')"
                say mode "$(stat -c '%U:%G %a' "$file")"
                """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["done"] == ["0 Serving on /run/mullion/wayland-0"], "\(transcript)")
        #expect(transcript["url"] == ["http://127.0.0.1:8080/v1/metrics /run/mullion/private/token"], "\(transcript)")
        let count = try #require(transcript["metrics"].first.flatMap { Int($0) }, "\(transcript)")
        #expect(count > 10, "\(transcript)")
        #expect(transcript["member"] == ["0"] && transcript["mode"] == ["mullion:prometheus 640"], "\(transcript)")
    }
}
