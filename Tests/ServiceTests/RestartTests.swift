// Restarts and crashes on a real systemd, with its descriptor store.

import Testing

@Suite(.enabled(if: Machine.canBoot, "a copy of this machine with systemd can be booted"))
struct RestartTests {
    @Test("A restart keeps clients, windows and screens; a crash keeps sockets and screens")
    func restart() throws {
        let transcript = try Machine.boot(
            #"""
            "$package/Config/install" --binaries "$binaries" >/dev/null
            systemctl enable --quiet --now mullion.socket mullion-control.socket
            useradd --groups mullion member
            as member mullionctl claim title=kept >/dev/null &
            claim=$!
            await eval 'mullionctl windows | grep -q kept'
            mullionctl plug 640x480 name=extra >/dev/null
            mullionctl settle >/dev/null
            before="$(mullionctl tree; mullionctl screens)"
            for round in 1 2 3; do
                pid=$(property MainPID)
                systemctl restart mullion.service
                [ "$(property MainPID)" != "$pid" ]
                say restarted "$?"
                after="$(mullionctl tree; mullionctl screens)"
                [ "$before" = "$after" ]
                say same "$?"
                kill -0 $claim
                say runs "$?"
            done
            say took "$(journal | grep -o 'took over 1 clients of mulliond' | wc -l)"
            kill -9 "$(property MainPID)"
            wait $claim
            await eval 'mullionctl screens | grep -q extra'
            as member mullionctl claim title=next >/dev/null &
            await eval 'mullionctl windows | grep -q next'
            say crash "$(property NRestarts)"
            systemctl stop mullion.service mullion.socket mullion-control.socket
            say stored "$(property NFileDescriptorStore)"
            """#)
        #expect(transcript.status == 0, "\(transcript)")
        #expect(transcript["restarted"] == ["0", "0", "0"], "\(transcript)")
        #expect(transcript["same"] == ["0", "0", "0"], "\(transcript)")
        #expect(transcript["runs"] == ["0", "0", "0"], "\(transcript)")
        #expect(transcript["took"] == ["3"], "\(transcript)")
        #expect(transcript["crash"] == ["1"], "\(transcript)")
        #expect(transcript["stored"] == ["0"], "\(transcript)")
    }
}
