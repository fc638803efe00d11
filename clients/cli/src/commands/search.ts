/** `search WORDS`: where something is said, with links to the second; `--mentions` prints each place, `--csv` all. */
import { counted } from '../delivery-output.ts'
import type {
  Mention,
  Mentions,
  MentionsOptions,
  SearchHit,
  SearchOptions,
  SearchResults,
} from '../../../typescript/src/index.ts'
import { publishDay } from '../../../../src/model/platform/publish-day.ts'
import { EXIT, type ExitCode, usageFailure } from '../failure.ts'
import { type Command, connect, numberOption, printJson, type Shell, textOption } from '../shell.ts'
import { printable } from '../printable.ts'
import { wrapped } from '../wrap.ts'

const LIMIT = { min: 1, max: 1_000 }
const PAGE = 50
const MENTIONS_PAGE = 200
/** Number of looks while transcripts are still being added; the service holds each answer for a second. */
const TRIES_MAX = 10

export const search: Command = async (shell) => {
  const { terminal, options } = shell
  if (options['csv'] === true) return printCsv(shell)
  if (options['mentions'] === true) return printMentions(shell)
  const found = await readHits(shell)
  if (shell.isJson) await printJson(shell, found)
  else {
    for (const hit of found.hits) await terminal.data(linesOf(hit, terminal))
    terminal.say(summaryOf(found))
  }
  return EXIT.ok
}

/** Returns the first page, with the hits of later pages added up to the number that is wanted. */
async function readHits(shell: Shell): Promise<SearchResults> {
  const client = connect(shell)
  const wanted = numberOption(shell.options, 'limit', LIMIT) ?? 10
  const q = shell.words.join(' ')
  const options = optionsOf(shell)
  const ask = () => client.searchPage(q, { ...options, limit: Math.min(wanted, PAGE) })
  let first = await ask()
  for (let tries = 1; first.indexed < first.owned && tries < TRIES_MAX; tries += 1)
    first = await ask()
  let last = first
  const { hits } = first
  while (hits.length < wanted && last.nextOffset !== null) {
    const limit = Math.min(wanted - hits.length, PAGE)
    last = await client.searchPage(q, { ...options, limit, offset: last.nextOffset })
    hits.push(...last.hits)
  }
  return { ...first, limit: wanted, nextOffset: last.nextOffset, hits }
}

/** Prints all mentions as they come, so that the list may be of any length. */
async function printCsv(shell: Shell): Promise<ExitCode> {
  for (const name of ['json', 'limit', 'newest'])
    if (shell.options[name] !== undefined)
      throw usageFailure(`--csv has all mentions, newest video first; leave out --${name}`)
  const client = connect(shell)
  const csv = await client.mentionsCsv(shell.words.join(' '), filtersOf(shell))
  for await (const bytes of csv) await shell.terminal.data(bytes)
  return EXIT.ok
}

async function printMentions(shell: Shell): Promise<ExitCode> {
  const { terminal } = shell
  const found = await readMentions(shell)
  if (shell.isJson) await printJson(shell, found)
  else {
    for (const mention of found.mentions) await terminal.data(linesOf(mention, terminal))
    terminal.say(mentionsSummary(found))
  }
  return EXIT.ok
}

/** Returns the first page, with the mentions of later pages added up to the number that is wanted. */
async function readMentions(shell: Shell): Promise<Mentions> {
  const client = connect(shell)
  const wanted = numberOption(shell.options, 'limit', LIMIT) ?? 10
  const q = shell.words.join(' ')
  const options = filtersOf(shell)
  const ask = () => client.mentionsPage(q, { ...options, limit: Math.min(wanted, MENTIONS_PAGE) })
  let first = await ask()
  for (let tries = 1; first.indexed < first.owned && tries < TRIES_MAX; tries += 1)
    first = await ask()
  let last = first
  const { mentions } = first
  while (mentions.length < wanted && last.nextOffset !== null) {
    const limit = Math.min(wanted - mentions.length, MENTIONS_PAGE)
    last = await client.mentionsPage(q, { ...options, limit, offset: last.nextOffset })
    mentions.push(...last.mentions)
  }
  return { ...first, limit: wanted, nextOffset: last.nextOffset, mentions }
}

function mentionsSummary({ mentions, total, transcripts, indexed, owned }: Mentions): string {
  const rest = indexed < owned ? `; ${indexed} of ${owned} transcripts were searched so far` : ''
  const said = `${mentions.length} of ${counted(total, 'mention')}, in ${counted(transcripts, 'transcript')}`
  return `${total === 0 ? 'No mentions' : said}${rest}`
}

function filtersOf(shell: Shell): MentionsOptions {
  const { sort: _, ...filters } = optionsOf(shell)
  return filters
}

function optionsOf({ options }: Shell): SearchOptions {
  const given = {
    channel: textOption(options, 'channel'),
    language: textOption(options, 'language'),
    after: textOption(options, 'since'),
    before: textOption(options, 'until'),
    sort: options['newest'] === true ? 'newest' : undefined,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** Returns title and place, the words said there with matches between asterisks, and the link. */
function linesOf(hit: SearchHit | Mention, { isUnicode, columns }: Shell['terminal']): string {
  const said = hit.snippet.map(({ text, isMatch }) => (isMatch ? `*${text}*` : text)).join('')
  const head = [hit.title ?? hit.videoId, hit.channelName, publishDay(hit.publishedAt)]
  const lines = [head.filter((part) => part != null).join(', '), `  ${said}`, `  ${hit.url}`]
  const shown = lines.map((line) => wrapped(printable(line, { isUnicode }), columns))
  return `${shown.join('\n')}\n\n`
}

function summaryOf({ hits, total, indexed, owned }: SearchResults): string {
  const rest = indexed < owned ? `; ${indexed} of ${owned} transcripts were searched so far` : ''
  return `${total === 0 ? 'No hits' : `${hits.length} of ${total} hits`}${rest}`
}
