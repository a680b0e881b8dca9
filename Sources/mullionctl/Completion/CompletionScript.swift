// The scripts that complete mullionctl's words in shells.

import MullionSystem

/// The completion script of a shell.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    private static var commands: [(command: Command, completion: Completion)] {
        Command.all.map { ($0, Completion($0)) }
    }

    /// Within quotes that a shell leaves as they are.
    private static func quoted(_ text: String) -> String { "'\(text.replacingAll("'", with: "'\\''"))'" }

    private static func list(_ words: [String]) -> String { words.map { quoted($0) }.joined(separator: " ") }

    // MARK: bash and zsh

    /// The branches that fill `candidates` for a command; alike in both shells.
    private static var branches: String {
        let names = "'') candidates=(\(list(Command.all.map(\.name) + Completion.common + ["--version"]))) ;;"
        let others = commands.map { command, completion in
            var lines = ["candidates=(\(list(completion.words + Completion.common)))"]
            if completion.hasRoles { lines.append("roles=yes") }
            for place in completion.places {
                switch place {
                case .screen: lines.append("_mullionctl_ask screens")
                case .model: lines.append("_mullionctl_ask models")
                case .file: lines.append("files=yes")
                case .program: lines.append("programs=yes")
                }
            }
            return "\(command.name)) \(lines.joined(separator: "; ")) ;;"
        }
        return ([names] + others).map { "        \($0)\n" }.joined()
    }

    /// The branches for the value of an option: COMMAND OPTION.
    private static var valueBranches: String {
        var lines = ["*' --control') candidates=(); files=yes ;;", "*' --server') candidates=() ;;"]
        for (command, completion) in commands {
            for value in completion.values {
                let fill: String
                switch value.place {
                case .screen: fill = "; _mullionctl_ask screens"
                case .model: fill = "; _mullionctl_ask models"
                case .file: fill = "; files=yes"
                case .program, nil: fill = ""
                }
                lines.append("'\(command.name) \(value.option)') candidates=(\(list(value.words)))\(fill) ;;")
            }
        }
        return lines.map { "        \($0)\n" }.joined()
    }

    private static var bashText: String {
        """
        # Completes mullionctl in bash; made by: mullionctl completion bash

        # Adds what a server answers, unless that takes long.
        _mullionctl_ask() {
            local answer
            mapfile -t answer < <(timeout 1 mullionctl "${server[@]}" completion "$1" 2>/dev/null)
            candidates+=("${answer[@]}")
        }

        _mullionctl() {
            local line=${COMP_LINE:0:COMP_POINT} words=() server=() candidates=() command='' files='' programs='' roles='' i candidate
            # Not COMP_WORDS, which are split at = and :.
            read -a words <<<"$line"
            [[ $line != *[[:space:]] ]] || words+=('')
            local last=$((${#words[@]} - 1))
            local current=${words[last]} inner=''
            for ((i = 1; i < last; i++)); do
                case ${words[i]} in
                --server | --control) server+=("${words[i]}" "${words[i + 1]}"); ((i++)) ;;
                --) inner=yes ;;
                -*) ;;
                *) [[ $command ]] || command=${words[i]} ;;
                esac
            done
            case $command in
        \(branches)    esac
            case "$command ${words[last - 1]}" in
        \(valueBranches)    esac
            if [[ $inner ]]; then
                # A folder may be found as a program, too.
                [[ ! $programs ]] || mapfile -t COMPREPLY < <(compgen -c -f -- "$current" | sort -u)
                compopt -o filenames 2>/dev/null
                return
            fi
            [[ ! $roles || $current != role=* ]] || candidates=(\(list(Completion.roles)))
            for candidate in "${candidates[@]}"; do
                # The value of a KEY= is unknown.
                [[ $candidate != "$current"* || $candidate == *= && $candidate == "$current" ]] || COMPREPLY+=("$(printf %q "$candidate")")
            done
            if [[ $files ]]; then
                compopt -o filenames 2>/dev/null
                mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$current")
            fi
            # KEY= continues with its value.
            [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
            # bash replaces only what follows the =.
            if [[ $current == *=* && $COMP_WORDBREAKS == *=* ]]; then
                COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*=}"}"}")
            fi
        }

        complete -F _mullionctl mullionctl

        """
    }

    private static var zshText: String {
        """
        #compdef mullionctl
        # Completes mullionctl in zsh; made by: mullionctl completion zsh

        # Adds what a server answers, unless that takes long.
        _mullionctl_ask() {
            candidates+=("${(@f)$(timeout 1 mullionctl $server completion $1 2>/dev/null)}")
        }

        _mullionctl() {
            local -a server candidates
            local command='' files='' programs='' roles='' inner='' i
            for ((i = 2; i < CURRENT; i++)); do
                case ${words[i]} in
                --server | --control) server+=("${words[i]}" "${words[i + 1]}"); ((i++)) ;;
                --) inner=$i ;;
                -*) ;;
                *) [[ -n $command ]] || command=${words[i]} ;;
                esac
            done
            case $command in
        \(branches)    esac
            case "$command ${words[CURRENT - 1]}" in
        \(valueBranches)    esac
            if [[ -n $inner ]]; then
                [[ -n $programs ]] || return 1
                words=("${(@)words[inner + 1, -1]}")
                ((CURRENT -= inner))
                _normal
                return
            fi
            [[ -z $roles || ${words[CURRENT]} != role=* ]] || candidates=(\(list(Completion.roles)))
            candidates=("${(@)candidates:#}")
            # KEY= continues with its value.
            compadd -S '' -- "${(@M)candidates:#*=}"
            compadd -- "${(@)candidates:#*=}"
            [[ -z $files ]] || _files
        }

        if [[ ${funcstack[1]} == _mullionctl ]]; then
            _mullionctl "$@"
        else
            compdef _mullionctl mullionctl
        fi

        """
    }

    // MARK: fish

    private static var fishText: String {
        let names = Command.all.map { command in
            "complete -c mullionctl -n '__mullionctl_is \"\"' -a \(command.name) -d \(quoted(command.summary))\n"
        }.joined()
        let common = """
            complete -c mullionctl -l server -x -d 'the name of a server'
            complete -c mullionctl -l control -r -F -d 'a control socket'
            complete -c mullionctl -l json -d 'print JSON'
            complete -c mullionctl -l help -d 'explain a command'
            complete -c mullionctl -n '__mullionctl_is ""' -l version -d 'print the version'

            """
        return """
            # Completes mullionctl in fish; made by: mullionctl completion fish

            # Whether the words so far have this command; "" before there is one.
            function __mullionctl_is
                set -l words (commandline -opc)
                set -e words[1]
                while set -q words[1]
                    switch $words[1]
                        case --server --control
                            set -e words[1]
                        case '-*'
                        case '*'
                            test $words[1] = $argv[1]
                            return
                    end
                    set -e words[1]
                end
                test -z $argv[1]
            end

            # What a server answers, unless that takes long.
            function __mullionctl_ask
                set -l words (commandline -opc)
                set -l server
                for index in (seq 2 (count $words))
                    if contains -- $words[$index] --server --control
                        set server $words[$index] $words[(math $index + 1)]
                    end
                end
                timeout 1 mullionctl $server completion $argv[1] 2>/dev/null
            end

            # What can follow the words after --.
            function __mullionctl_program
                set -l words (commandline -opc)
                set -l place (contains -i -- -- $words); or return
                set -e words[1..$place]
                complete -C (string join ' ' -- (string escape -- $words) (commandline -ct))
            end

            complete -c mullionctl -f
            \(common)\(names)\(commands.map { fishLines($0, $1) }.joined())
            """
    }

    private static func fishLines(_ command: Command, _ completion: Completion) -> String {
        let start = "complete -c mullionctl -n '__mullionctl_is \(command.name)'"
        var lines: [String] = []
        let values = completion.values.map(\.option)
        let words = completion.words.filter { !$0.hasPrefix("-") }
        if !words.isEmpty { lines.append("\(start) -a \(quoted(words.joined(separator: " ")))") }
        if completion.hasRoles {
            lines.append(
                "complete -c mullionctl -n '__mullionctl_is \(command.name); and string match -q \"role=*\" -- (commandline -ct)'"
                    + " -a \(quoted(Completion.roles.joined(separator: " ")))")
        }
        for option in completion.words where option.hasPrefix("-") && !values.contains(option) {
            lines.append("\(start) \(fishName(option))")
        }
        for (option, place, words) in completion.values {
            let list = words.isEmpty ? "" : " -a \(quoted(words.joined(separator: " ")))"
            lines.append("\(start) \(fishName(option)) -r" + (place.map { fishPlace($0) } ?? " -f") + list)
        }
        for place in completion.places {
            switch place {
            case .screen, .model, .file: lines.append(start + fishPlace(place))
            case .program: lines.append("\(start) -a '(__mullionctl_program)'")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func fishName(_ option: String) -> String {
        option.hasPrefix("--") ? "-l \(option.dropFirst(2))" : "-s \(option.dropFirst(1))"
    }

    private static func fishPlace(_ place: Completion.Place) -> String {
        switch place {
        case .screen: " -f -a '(__mullionctl_ask screens)'"
        case .model: " -f -a '(__mullionctl_ask models)'"
        case .file: " -F"
        case .program: ""
        }
    }
}
