/** `library`: the account's channels and playlists. `library ID`: one of them. `--as KIND`: all of it as a file. */
import { WORD_ENDINGS, type ZipExport } from '../../../typescript/src/catalogue.ts'
import type { Collection, CollectionDetail } from '../../../typescript/src/index.ts'
import { LIBRARY_KINDS, type LibraryKind } from '../catalogue.ts'
import { FILE_FORMATS } from '../commands.ts'
import { EXIT, usageFailure } from '../failure.ts'
import { findCollection, readCollections } from '../find-collection.ts'
import {
  choiceOption,
  type Command,
  connect,
  numberOption,
  printJson,
  type Shell,
  textOption,
} from '../shell.ts'
import { factsOf, tableOf } from '../table.ts'
import { dollars } from '../usd.ts'
import { BATCH_VIDEOS_MAX } from '../wish.ts'

/** Words by which a ZIP is asked for the time of each word. */
const WORDS = Object.keys(WORD_ENDINGS) as ZipExport[]
const SECONDS = { min: 5, max: 3_600 }
const PARTS = { min: 1, max: 300 }
const MAX_WORDS = { min: 1_000, max: 1_000_000 }

export const library: Command = async (shell) => {
  const chosen = choiceOption(
    shell.options,
    'as',
    LIBRARY_KINDS.map(({ command }) => command),
  )
  const kind = LIBRARY_KINDS.find(({ command }) => command === chosen)
  const words = shell.words.length === 0 ? undefined : shell.words.join(' ')
  if (words === undefined && kind !== undefined)
    throw usageFailure('--as needs a channel or playlist', 'scriptorium library')
  const id = words === undefined ? undefined : await findCollection(connect(shell), words)
  if (id !== undefined && kind !== undefined) await printFile(shell, id, kind)
  else if (id !== undefined) await printCollection(shell, id)
  else await printAll(shell)
  return EXIT.ok
}

async function printAll(shell: Shell): Promise<void> {
  const found = await readCollections(connect(shell))
  if (shell.isJson) return printJson(shell, { collections: found })
  if (found.length === 0) shell.terminal.say('Nothing was delivered yet')
  await shell.terminal.data(tableOf(found.map(cellsOf), shell.terminal))
}

function cellsOf({ id, delivered, known, title }: Collection): string[] {
  return [id, `${delivered}/${known}`, title ?? '-']
}

async function printCollection(shell: Shell, id: string): Promise<void> {
  const found = await connect(shell).library.get(id)
  if (shell.isJson) return printJson(shell, found)
  const rows: [string, string][] = [
    [found.kind, found.id],
    ['title', found.title ?? '-'],
    ['delivered', `${found.delivered} of ${found.known}`],
    ['without captions', String(found.noCaptions)],
    ['failed', String(found.failed)],
    ['charged', dollars(found.charged)],
  ]
  await shell.terminal.data(factsOf(rows, shell.terminal))
  for (const line of goesOnWith(found)) shell.terminal.say(line)
}

/** Returns the lines with the command that fetches the rest, its highest cost, and what to know before it is sent. */
function goesOnWith({ goesOn, remaining }: CollectionDetail): string[] {
  if (goesOn === null || remaining === 0) return []
  const { urls, language, videos, costAtMost } = goesOn
  const most = costAtMost === null ? '' : ` (at most ${dollars(costAtMost)})`
  const max = videos === null ? [] : ['--max', String(Math.min(videos, BATCH_VIDEOS_MAX))]
  const tongue = language === 'original' ? [] : ['--language', language]
  const lines = [
    `The rest${most}: ${['scriptorium', 'get', ...urls, ...tongue, ...max].map(asTyped).join(' ')}`,
  ]
  const known = videos === null || remaining === null || urls.length > 1 ? 0 : videos - remaining
  if (known > 0)
    lines.push(
      `${known} of these ${videos} videos came in other orders: they are left out, and cost nothing.`,
    )
  return lines
}

/** Returns a word quoted for a shell where it has to be: addresses of playlists have a question mark. */
function asTyped(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

async function printFile(shell: Shell, id: string, kind: LibraryKind): Promise<void> {
  const { options, terminal } = shell
  if (kind.isZip && process.stdout.isTTY === true)
    throw usageFailure(
      'a ZIP cannot be shown on the terminal',
      `… --as ${kind.command} > channel.zip`,
    )
  const wishes = {
    formats: () => formatsOf(options),
    exports: () => (options['words'] === true ? WORDS : undefined),
    seconds: () => numberOption(options, 'seconds', SECONDS),
    parts: () => numberOption(options, 'parts', PARTS),
    words: () => numberOption(options, 'max-words', MAX_WORDS),
  }
  const asked = Object.entries(wishes).flatMap(([name, read]) => {
    const wish = kind.query.includes(name) ? read() : undefined
    return wish === undefined ? [] : [[name, wish]]
  })
  const file = await connect(shell).library.file(id, kind.file, Object.fromEntries(asked))
  for await (const chunk of file) await terminal.data(chunk)
}

function formatsOf(options: Shell['options']): (typeof FILE_FORMATS)[number][] {
  const names = (textOption(options, 'format') ?? 'text').split(',')
  return names.map((name) => {
    const format = FILE_FORMATS.find((known) => known === name.trim())
    if (format === undefined)
      throw usageFailure(`--format is ${FILE_FORMATS.join(', ')}, not "${name}"`)
    return format
  })
}
