var e=`# In ~/.bashrc: source <(reprise completions bash)
_reprise() {
  local line=\${COMP_LINE:0:COMP_POINT} value word current breaks= prefix= plain
  local -a words listed
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  while (( \${#words[@]} > 1 )) && [[ \${words[0]} != "$1" ]]; do words=("\${words[@]:1}"); done
  words=("\${words[@]:1}")
  current=\${words[\${#words[@]} - 1]}
  # Bash replaces only what follows the last of these.
  [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
  [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
  [[ -n $breaks && $current == *[$breaks]* ]] && prefix=\${current%"\${current##*[$breaks]}"}
  plain=\${current#"$prefix"}
  COMPREPLY=()
  compopt -o nosort 2>/dev/null
  while IFS= read -r value; do
    case $value in
      :files | :directories)
        compopt -o filenames 2>/dev/null
        local flag=-f
        [[ $value == :directories ]] && flag=-d
        while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen "$flag" -- "$plain")
        ;;
      *)
        value=\${value#"$prefix"} word=\${value%%$'\\t'*}
        COMPREPLY+=("$word")
        [[ $value == *$'\\t'* ]] && printf -v value '%-18s -- %s' "$word" "\${value#*$'\\t'}"
        listed+=("\${value:0:\${COLUMNS:-80} - 1}")
        ;;
    esac
  done < <("$1" completions bash -- "\${words[@]}" 2>/dev/null)
  if (( \${#COMPREPLY[@]} == 1 )) && [[ \${COMPREPLY[0]} == *[:=] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  # A second Tab only lists them: there is room for what they are.
  [[ $COMP_TYPE == 63 ]] && (( \${#listed[@]} > 1 )) && COMPREPLY=("\${listed[@]}")
}
complete -F _reprise reprise
`,r=`#compdef reprise
# In ~/.zshrc: source <(reprise completions zsh)
_reprise() {
  local line value
  local -a values shown open open_shown
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    case $line in
      :files) _files; return ;;
      :directories) _files -/; return ;;
      *$'\\t'*) line="\${(r:18:)value} -- \${line#*$'\\t'}" ;;
    esac
    if [[ $value == *[:=] ]]; then
      open+=("$value") open_shown+=("$line")
    else
      values+=("$value") shown+=("$line")
    fi
  done < <("\${(Q)words[1]}" completions zsh -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  compadd -l -V reprise -d shown -a -- values
  compadd -l -V reprise-open -S '' -d open_shown -a -- open
}
if [[ $funcstack[1] == _reprise ]]; then
  _reprise "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
  compdef _reprise reprise
fi
`,o=`# In ~/.config/fish/config.fish: reprise completions fish | source
function __reprise_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] completions fish -- $words[2..] "$current" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$current"
            case :directories
                __fish_complete_directories "$current"
            case '*'
                echo -- $line
        end
    end
end
complete -c reprise -f -k -a '(__reprise_complete)'
`,i=`# In $PROFILE: reprise completions pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName reprise -ScriptBlock {
  param($current, $commandAst, $position)
  $elements = @($commandAst.CommandElements)
  $words = @($elements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $position } |
    ForEach-Object { if ($_.Value -is [string]) { $_.Value } else { $_.ToString() } })
  & $elements[0].ToString() completions pwsh '--' @words ".$current" 2>$null | ForEach-Object {
    if ($_ -eq ':files' -or $_ -eq ':directories') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($current)
    } else {
      $value, $description = $_ -split "\`t", 2
      if (-not $description) { $description = $value }
      [System.Management.Automation.CompletionResult]::new(
        $value, $value, 'ParameterValue', $description)
    }
  }
}
`,De={bash:e,zsh:r,fish:o,pwsh:i};export{De as a};
