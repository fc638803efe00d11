/** The help: examples first, each page within a screen of 80 × 24. */
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from './commands.ts'

const NAME_WIDTH = 22

export function mainHelp(): string {
  const names = COMMANDS.filter(({ listedWith }) => listedWith === undefined).map(listed)
  return lines([
    'Transcripts of videos, playlists and channels.',
    '',
    '  scriptorium get https://www.youtube.com/@channel --max 20 --out talks',
    '  scriptorium get VIDEO --stdout --format markdown > talk.md',
    '',
    ...names,
    '',
    'Each takes --json, --server URL and --help, which tells its options.',
    'Environment: SCRIPTORIUM_API_KEY, SCRIPTORIUM_URL, NO_COLOR.',
  ])
}

function listed({ name, usage, about }: CommandSpec): string {
  const also = COMMANDS.find(({ listedWith }) => listedWith === name)
  return row(also === undefined ? `${name} ${usage}`.trim() : `${name}, ${also.name}`, about)
}

export function commandHelp(command: CommandSpec): string {
  const { help: _, ...known } = { ...command.options, ...GLOBAL_OPTIONS }
  return lines([
    `scriptorium ${command.name} ${command.usage}`.trimEnd(),
    '',
    ...command.examples.map((example) => `  ${example}`),
    '',
    ...Object.entries(known).map(([name, option]) => row(optionName(name, option), option.about)),
    ...(command.notes.length === 0 ? [] : ['', ...command.notes]),
  ])
}

function optionName(name: string, { value, short }: OptionSpec): string {
  const long = value === null ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}

function row(name: string, about: string): string {
  return `  ${name.padEnd(NAME_WIDTH - 1)} ${about}`
}

function lines(text: string[]): string {
  return `${text.join('\n')}\n`
}
