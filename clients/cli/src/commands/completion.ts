/** `completion bash|zsh|fish`: prints a script made from the commands' data. */
import type { CommandSpec, OptionSpec } from '../command-spec.ts'
import { COMMANDS, GLOBAL_OPTIONS, SHELLS } from '../commands.ts'
import { EXIT, usageFailure } from '../failure.ts'
import type { Command } from '../shell.ts'

export const completion: Command = async ({ terminal, words }) => {
  const shell = SHELLS.find((known) => known === words[0])
  if (shell === undefined) throw usageFailure(`completion is for ${SHELLS.join(', ')}`)
  await terminal.data(SCRIPTS[shell]())
  return EXIT.ok
}

const SCRIPTS: Record<(typeof SHELLS)[number], () => string> = { bash, zsh, fish }

function optionsOf(command: CommandSpec): [string, OptionSpec][] {
  return Object.entries({ ...command.options, ...GLOBAL_OPTIONS })
}

const NAMES = COMMANDS.map(({ name }) => name)

function bash(): string {
  const cases = COMMANDS.map((command) => {
    const words = [...optionsOf(command).map(([name]) => `--${name}`), ...(command.choices ?? [])]
    return `    ${command.name}) words='${words.join(' ')}' ;;`
  })
  const values = choicesByOption().map(
    ([name, choices]) => `    --${name}) words='${choices.join(' ')}' ;;`,
  )
  return `_scriptorium() {
  local words='' word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${NAMES.join(' ')}' -- "$word"))
    return
  fi
  case $before in
${values.join('\n')}
    --out) COMPREPLY=($(compgen -d -- "$word")); return ;;
  esac
  [ -n "$words" ] || case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _scriptorium scriptorium
`
}

function zsh(): string {
  const cases = COMMANDS.map((command) => {
    const options = optionsOf(command).map(([name, option]) => {
      const value = option.value === null ? '' : `:${option.value}:${zshValues(name, option)}`
      return `'--${name}[${zshText(option.about)}]${value}'`
    })
    const words = `'*:word:${command.choices === undefined ? '_files' : `(${command.choices.join(' ')})`}'`
    return `    ${command.name}) _arguments ${[...options, words].join(' ')} ;;`
  })
  const names = COMMANDS.map(({ name, about }) => `    '${name}:${zshText(about)}'`)
  return `#compdef scriptorium
_scriptorium() {
  local -a names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local name=$words[2]
  shift words
  (( CURRENT-- ))
  case $name in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _scriptorium ]; then _scriptorium "$@"; else compdef _scriptorium scriptorium; fi
`
}

/** Returns the text escaped for single quotes and brackets. */
function zshText(text: string): string {
  return text.replace(/'/g, "'\\''").replace(/[[\]:]/g, '\\$&')
}

function zshValues(name: string, { choices }: OptionSpec): string {
  if (choices !== undefined) return `(${choices.join(' ')})`
  return name === 'out' ? '_files -/' : ''
}

function fish(): string {
  const names = COMMANDS.map(
    ({ name, about }) =>
      `complete -c scriptorium -f -n __fish_use_subcommand -a ${name} -d '${fishText(about)}'`,
  )
  const options = COMMANDS.flatMap((command) => [
    ...optionsOf(command).map(([name, option]) => {
      const seen = `-n '__fish_seen_subcommand_from ${command.name}'`
      const short = option.short === undefined ? '' : ` -s ${option.short}`
      const value = option.value === null ? '' : ` -r${fishValues(name, option)}`
      return `complete -c scriptorium ${seen} -l ${name}${short}${value} -d '${fishText(option.about)}'`
    }),
    ...(command.choices === undefined
      ? []
      : [
          `complete -c scriptorium -f -n '__fish_seen_subcommand_from ${command.name}' -a '${command.choices.join(' ')}'`,
        ]),
  ])
  return `${[...names, ...options].join('\n')}\n`
}

function fishValues(name: string, { choices }: OptionSpec): string {
  if (choices !== undefined) return ` -f -a '${choices.join(' ')}'`
  return name === 'out' ? " -f -a '(__fish_complete_directories)'" : ' -f'
}

function fishText(text: string): string {
  return text.replace(/['\\]/g, '\\$&')
}

/** Returns the values that completion offers for each option, whatever the command. */
function choicesByOption(): [string, readonly string[]][] {
  const options = COMMANDS.flatMap(optionsOf)
  return [
    ...new Map(
      options.flatMap(([name, { choices }]) =>
        choices === undefined ? [] : [[name, choices] as const],
      ),
    ),
  ].map(([name, choices]) => [name, choices])
}
