/// The scripts that shells run when the user presses Tab. They are short, because `qring __complete` finds
/// the candidates.
enum CompletionScripts {
    static func script(for shell: CompletionCommand.Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static let bash = #"""
        # bash completion for qring; needs bash 4.4 or newer
        _qring() {
            local line
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                    :files) compopt -o default ;;
                    :folders) compopt -o dirnames ;;
                    :nospace) compopt -o nospace ;;
                    :anywhere) ;;
                    *) COMPREPLY+=("$line") ;;
                esac
            done < <("$1" __complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
        }
        complete -F _qring qring

        """#

    private static let zsh = #"""
        #compdef qring
        _qring() {
            local line
            local -i wide=0
            local -a names meanings extra before
            # The words before the one that is typed, without their quotes.
            (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
            for line in "${(@f)$("$words[1]" __complete zsh "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                case $line in
                    '') ;;
                    :files) _files; return ;;
                    :folders) _files -/; return ;;
                    :nospace) extra+=(-S '') ;;
                    :anywhere) extra+=(-U) ;;
                    *)
                        names+=("${line%%$'\t'*}")
                        meanings+=("${${line#*$'\t'}:#$line}")
                        (( ${(m)#names[-1]} > wide )) && wide=${(m)#names[-1]}
                        ;;
                esac
            done
            (( $#names )) || return 1
            # What stands before the last = or comma is there already.
            if [[ $PREFIX == --*=* ]]; then
                names=("${(@)names#--*=}")
                compset -P '--*='
            fi
            for (( line = 1; line <= $#names; line++ )); do
                if [[ -n $meanings[line] ]]; then
                    meanings[line]="${(mr:wide:)names[line]}  $meanings[line]"
                else
                    meanings[line]=$names[line]
                fi
            done
            compadd "${extra[@]}" -l -d meanings -a names
        }
        if [[ $funcstack[1] == _qring ]]; then _qring "$@"; else compdef _qring qring; fi

        """#

    private static let fish = #"""
        # fish completion for qring
        function __qring_complete
            set -l words (commandline -opc)
            set -l raw (commandline -ct)
            set -l current (string unescape -- $raw; or string replace -r '^["\']' '' -- $raw)
            set -l lines ($words[1] __complete fish $words[2..-1] "$current" 2>/dev/null)
            switch "$lines[1]"
                case :files
                    __fish_complete_path "$current"
                case :folders
                    __fish_complete_directories "$current" ''
                case '*'
                    string match -rv '^:(nospace|anywhere)$' -- $lines
            end
        end
        complete -c qring -e
        complete -c qring -f -a '(__qring_complete)'

        """#
}
