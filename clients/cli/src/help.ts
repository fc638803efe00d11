/** The help: examples first, each page within a screen of 80 × 24. On a narrow one, each text is below its name. */
import type { CommandSpec, OptionSpec } from './command-spec.ts'
import { COMMANDS, GLOBAL_OPTIONS } from './commands.ts'
import { printable } from './printable.ts'
import type { Look } from './terminal.ts'

const NAME_WIDTH = 22

type Page = Pick<Look, 'columns' | 'isUnicode'>
export const HELP_PAGE: Page = { columns: 80, isUnicode: true }

export function mainHelp(page = HELP_PAGE): string {
  const names = COMMANDS.filter(({ listedWith }) => listedWith === undefined).flatMap((command) =>
    listed(command, page),
  )
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

function listed({ name, usage, about }: CommandSpec, page: Page): string[] {
  const also = COMMANDS.find(({ listedWith }) => listedWith === name)
  const called = also === undefined ? `${name} ${usage}`.trim() : `${name}, ${also.name}`
  return row(called, about, page)
}

export function commandHelp(command: CommandSpec, page = HELP_PAGE): string {
  const { json } = GLOBAL_OPTIONS // the main page tells of the others
  const known = { ...command.options, ...(json === undefined ? {} : { json }) }
  return lines([
    `scriptorium ${command.name} ${command.usage}`.trimEnd(),
    '',
    ...command.examples.map((example) => `  ${example}`),
    '',
    ...Object.entries(known).flatMap(([name, option]) =>
      row(optionName(name, option), option.about, page),
    ),
    ...(command.notes.length === 0 ? [] : ['', ...command.notes]),
  ])
}

function optionName(name: string, { value, short }: OptionSpec): string {
  const long = value === null ? `--${name}` : `--${name} ${value}`
  return short === undefined ? `    ${long}` : `-${short}, ${long}`
}

function row(name: string, about: string, { columns, isUnicode }: Page): string[] {
  const shown = printable(name, { isUnicode })
  return columns < HELP_PAGE.columns
    ? [`  ${shown.trim()}`, `      ${about}`]
    : [`  ${shown.padEnd(NAME_WIDTH - 1)} ${about}`]
}

function lines(text: string[]): string {
  return `${text.join('\n')}\n`
}
