/** Reads the words of the command line; an error names the nearest valid word. */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { CommandSpec, OptionSpec } from './command-spec.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { usageFailure } from './failure.ts'

export type Invocation =
  | { kind: 'main_help' }
  | { kind: 'version' }
  | { kind: 'command_help'; command: CommandSpec }
  | { kind: 'command'; command: CommandSpec; options: Options; words: string[] }

/** Values by their option's long name. */
export type Options = { readonly [name: string]: string | boolean | undefined }

/** Throws a usage failure for an unknown command or option. */
export function parseWords(args: readonly string[]): Invocation {
  const before = globalsBefore(args)
  const [first, ...behind] = args.slice(before)
  const rest = [...args.slice(0, before), ...behind]
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') {
    const command = COMMANDS.find(({ name }) => name === rest[0])
    return command === undefined ? { kind: 'main_help' } : { kind: 'command_help', command }
  }
  if (first === '--version' || first === '-V' || first === 'version') return { kind: 'version' }
  const command = COMMANDS.find(({ name }) => name === first)
  if (command === undefined) throw unknownCommand(first, behind)
  return parseCommand(command, rest)
}

/** Returns how many words before the command are options that every command takes: `--server URL balance`. */
function globalsBefore(args: readonly string[]): number {
  let before = 0
  for (;;) {
    const [name = '', value] = args[before]?.split('=', 2) ?? []
    const option = /^--./.test(name) ? GLOBAL_OPTIONS[name.slice(2)] : undefined
    if (option === undefined || name === '--help') return before
    before += option.value === null || value !== undefined ? 1 : 2
  }
}

function parseCommand(command: CommandSpec, args: string[]): Invocation {
  const specs = { ...command.options, ...GLOBAL_OPTIONS }
  const { values, positionals } = parsed(command, specs, args)
  if (values['help'] === true) return { kind: 'command_help', command }
  const { min, max } = command.words
  if (positionals.length < min || positionals.length > max) {
    const wanted = command.usage === '' ? 'no words' : command.usage
    const extra = positionals[max]
    throw usageFailure(
      extra === undefined
        ? `${command.name} needs ${wanted}`
        : `${command.name} takes ${wanted}; "${extra}" is one too many`,
      seeHelp(command),
    )
  }
  return { kind: 'command', command, options: values, words: positionals }
}

function parsed(
  command: CommandSpec,
  specs: Readonly<Record<string, OptionSpec>>,
  args: string[],
): { values: Record<string, string | boolean | undefined>; positionals: string[] } {
  const aliases = Object.entries(specs).flatMap(([name, { also }]) =>
    also === undefined ? [] : [[also, name] as const],
  )
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries([
    ...Object.entries(specs).map(([name, { value, short }]) => [
      name,
      {
        type: value === null ? 'boolean' : 'string',
        ...(short === undefined ? {} : { short }),
      } as const,
    ]),
    ...aliases.map(([also]) => [also, { type: 'string' }] as const),
  ])
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const given = values as Record<string, string | boolean | undefined>
    for (const [also, name] of aliases) {
      if (given[also] !== undefined) given[name] ??= given[also]
      delete given[also]
    }
    return { values: given, positionals }
  } catch (error) {
    throw wrongOption(command, specs, args, error)
  }
}

function wrongOption(
  command: CommandSpec,
  specs: Readonly<Record<string, OptionSpec>>,
  args: string[],
  error: unknown,
): Error {
  const { code } = error as { code?: string }
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const isKnown = (word: string): boolean => {
      const name = word.replace(/^--/, '').split('=', 1)[0] ?? ''
      const isShortOrAlso = ({ short, also }: OptionSpec): boolean =>
        `-${short}` === word || also === name
      return name in specs || Object.values(specs).some(isShortOrAlso)
    }
    const wrong = args.find((word) => /^-./.test(word) && !isKnown(word)) ?? ''
    const near = nearest(wrong.replace(/^-+/, ''), Object.keys(specs))
    const meant = near === null ? '' : `; did you mean --${near}?`
    return usageFailure(
      `${command.name} has no option ${wrong.split('=', 1)[0]}${meant}`,
      // Ids of videos may begin with a dash.
      /^-[\w-]{10}$/.test(wrong) ? `put -- before an ID that begins with "-"` : seeHelp(command),
    )
  }
  // Only the first sentence of Node's message is used: the rest is about Node's rules.
  const message = error instanceof Error ? error.message : String(error)
  return usageFailure(message.split(/[.\n]/, 1)[0] ?? message, seeHelp(command))
}

function unknownCommand(word: string, rest: string[]): Error {
  const names = COMMANDS.map(({ name }) => name)
  if (/^https?:\/\//.test(word)) {
    return usageFailure(
      `"${word}" is not a command`,
      `scriptorium get ${[word, ...rest].join(' ')}`,
    )
  }
  const near = nearest(word, names)
  return usageFailure(
    `there is no command "${word}"${near === null ? '' : `; did you mean ${near}?`}`,
    'scriptorium --help lists them',
  )
}

function seeHelp({ name }: CommandSpec): string {
  return `scriptorium ${name} --help`
}

/** Returns the name with the fewest changed letters, if they are at most two. */
function nearest(word: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, changes: changesBetween(word.slice(0, 20), name) }))
    .sort((a, b) => a.changes - b.changes)
  return best === undefined || best.changes > 2 ? null : best.name
}

function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swapped = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
