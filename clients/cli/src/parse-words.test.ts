/** The words of the command line, and the pages of help, which are made from the same data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMMANDS } from './commands.ts'
import { COMMAND_FILES } from './run-command.ts'
import { Failure } from './failure.ts'
import { commandHelp, mainHelp } from './help.ts'
import { parseWords } from './parse-words.ts'

const REFUSED: [args: string, message: RegExp][] = [
  ['gett URL', /no command "gett"; did you mean get\?/],
  ['https://youtu.be/x', /is not a command/],
  ['frobnicate', /no command "frobnicate"$/],
  ['get', /get needs URL…/],
  ['get URL --maks 3', /no option --maks; did you mean --max\?/],
  ['get URL --max', /argument missing/],
  ['get -dash_first1', /get has no option -dash_first1/],
  ['balance extra', /balance takes no words; "extra" is one too many/],
  ['job', /job needs ID/],
]

for (const [args, message] of REFUSED) {
  test(`"${args}" is refused with a sentence`, () => {
    assert.throws(
      () => parseWords(args.split(' ')),
      (error) => error instanceof Failure && error.exit === 2 && message.test(error.message),
    )
  })
}

test('options stand anywhere, and behind "--" there are only words', () => {
  const parsed = parseWords(['get', 'a', '-n', '3', 'b', '--stdout', '--', '-dash_first1'])
  assert.ok(parsed.kind === 'command')
  assert.deepEqual(parsed.words, ['a', 'b', '-dash_first1'])
  assert.deepEqual({ ...parsed.options }, { max: '3', stdout: true })
})

test('what every command takes may stand before it', () => {
  const parsed = parseWords(['--server', 'http://a', '--json', 'job', 'ID', '--watch'])
  assert.ok(parsed.kind === 'command')
  assert.equal(parsed.command.name, 'job')
  assert.deepEqual({ ...parsed.options }, { server: 'http://a', json: true, watch: true })
  assert.equal(parseWords(['--server=http://a', '--help']).kind, 'main_help')
  assert.equal(parseWords(['--json', '--version']).kind, 'version')
})

test('the API’s names of the dates are understood, too', () => {
  const parsed = parseWords(['get', 'a', '--after', '2026-01-01', '--before=2026-02-01'])
  assert.ok(parsed.kind === 'command')
  assert.deepEqual({ ...parsed.options }, { since: '2026-01-01', until: '2026-02-01' })
})

test('help is asked for in every usual way', () => {
  for (const args of [[], ['help'], ['--help'], ['-h']]) {
    assert.equal(parseWords(args).kind, 'main_help')
  }
  for (const args of [
    ['get', '--help'],
    ['get', 'URL', '-h'],
    ['help', 'get'],
  ]) {
    assert.equal(parseWords(args).kind, 'command_help')
  }
})

test('on a narrow screen nothing of the help stands beside its name', () => {
  const lines = mainHelp({ columns: 40, isUnicode: false }).split('\n')
  assert.deepEqual(lines.slice(5, 7), [
    '  get URL...',
    '      transcripts of videos, playlists and channels, as files',
  ])
  const padded = mainHelp({ columns: 80, isUnicode: false }).split('\n')
  assert.equal(padded[5]?.indexOf('transcripts'), padded[6]?.indexOf('what was ordered'))
})

test('every page of help fits on a screen of 80 × 24, examples first', () => {
  const pages = [mainHelp(), ...COMMANDS.map((command) => commandHelp(command))]
  for (const page of pages) {
    const lines = page.split('\n')
    assert.ok(lines.length <= 24, `${lines.length} lines:\n${page}`)
    assert.deepEqual(
      lines.filter((line) => [...line].length > 79),
      [],
    )
    const examples = lines.findIndex((line) => line.startsWith('  scriptorium'))
    assert.ok(examples === 2 || lines[2]?.includes('scriptorium'), page)
  }
})

test('each command has its file', () => {
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).toSorted(),
    Object.keys(COMMAND_FILES).toSorted(),
  )
})
