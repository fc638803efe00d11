/**
 * One publish day: a video whose day differs by the platform's clock and in UTC has the platform's in every file,
 * answer and filter. Pages are looked at in test/browser/publish-days.full.test.ts.
 */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { parse as parseCsv } from 'csv-parse/sync'
import { fromBufferPromise } from 'yauzl'
import {
  EXPORT_FILES,
  type ExportFile,
  FORM_FILES,
  WHOLE_FILES,
  type WholeFile,
  WORD_FILES,
  ZIP_EXPORTS,
} from '../../src/model/files/catalogue.ts'
import { CITATION_FORMATS, citationOf, type CitedVideo } from '../../src/model/files/citations.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { modernAgent } from '../mcp/agents.ts'
import { sharedService } from '../support/shared-service.ts'
import { lateVideo } from './late-videos.ts'

const { platform, customer, address } = await sharedService({ after })
const { world } = platform
const who = await customer('5')

const chosen = lateVideo(world)
const { videoId, day, utc } = chosen
const { job, rows } = await who.orders({ urls: [videoId] })
const id = job['id'] as string
const project = await who.asks('POST', '/projects', { body: { name: 'Days' } })
const projectId = project.body['id'] as string
await who.asks('POST', `/projects/${projectId}/videos`, { body: { job: id } })

/** Returns a day in every way in which a file spells it: 2026-04-21, 2026/04/21, 20260421, 2026,4,21, 21 April 2026. */
function spelled(text: string): RegExp {
  const [year, month, number] = text.split('-').map(Number)
  const name = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(
    new Date(`${text}T00:00:00Z`),
  )
  const digits = `${year}\\D{0,3}0?${month}\\D{0,3}0?${number}(?!\\d)`
  return new RegExp(`${digits}|\\b${number} ${name} ${year}|${year}, ${name} ${number}\\b`)
}

/** Returns the names and the texts of a file; those that a ZIP holds. */
async function contentOf(path: string): Promise<string> {
  const reply = await fetch(`${address}/api/v1${path}`, {
    headers: { authorization: `Bearer ${who.apiKey}` },
  })
  assert.equal(reply.status, 200, path)
  const name = decodeURIComponent(reply.headers.get('content-disposition') ?? '')
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) return `${name}\n${bytes.toString()}`
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const parts = [name]
  for await (const entry of zip.eachEntry())
    parts.push(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString())
  return parts.join('\n')
}

/** Files that say when a video was published. A new file of the catalogue says here whether it does. */
const DATES: Record<WholeFile | ExportFile, boolean> = {
  zip: true,
  'all.txt': true,
  'report.csv': true,
  'export.md': true,
  'export.jsonl': true,
  'export.videos.jsonl': true,
  'export.4cat.csv': true,
  'export.ris': true,
  'export.csl.json': true,
  'notebook.zip': true,
  'vault.zip': true,
}

/** Returns a table for 4CAT without its `timestamp`, which that tool reads as UTC. */
function withoutInstant(text: string): string {
  const rows = parseCsv(text.slice(text.indexOf('\n') + 1), { columns: true }) as Json[]
  return JSON.stringify(rows.map((row) => ({ ...row, timestamp: '' })))
}

for (const files of [`/jobs/${id}/files`, `/library/${projectId}/files`])
  for (const file of [...WHOLE_FILES, ...EXPORT_FILES])
    test(`the day of a video in ${file} of ${files.split('/')[1]} is the platform’s`, async () => {
      const isExport = EXPORT_FILES.some((name) => name === file)
      const path = isExport ? files.replace(`${id}/files`, id) : files
      const more = file === 'zip' ? `?exports=${[...ZIP_EXPORTS.keys()].join(',')}` : ''
      const whole = await contentOf(`${path}/${file}${more}`)
      const content = file === 'export.4cat.csv' ? withoutInstant(whole) : whole
      assert.doesNotMatch(content, spelled(utc))
      assert.equal(spelled(day).test(content), DATES[file])
    })

test('a file of one text names no other day', async () => {
  const names = [
    ...FORM_FILES.map((file) => `files/1.${file}`),
    ...WORD_FILES.map((file) => `1.${file}`),
  ]
  for (const name of names) {
    const reply = await who.asks('GET', `/jobs/${id}/${name}`)
    if (reply.status !== 404) assert.doesNotMatch(reply.bytes.toString(), spelled(utc), name)
  }
})

test('a citation names it in every form', () => {
  const video = { ...chosen, title: 'A', channelName: 'B', url: 'https://example.org/' }
  for (const format of Object.keys(CITATION_FORMATS) as (keyof typeof CITATION_FORMATS)[]) {
    const cited = citationOf(format, { video: video as CitedVideo, quote: null, readAt: null })
    assert.doesNotMatch(cited, spelled(utc), format)
    // BibTeX has a field of the year and one of the month.
    if (format !== 'bibtex') assert.match(cited, spelled(day), format)
  }
})

const ASKED: [from: string | null, until: string | null, isInside: boolean][] = [
  [day, day, true],
  [utc, null, false],
  [null, day, true],
  [utc, utc, false],
  [`${utc}T00:00:00Z`, `${utc}T23:59:59Z`, true],
  [null, `${day}T23:59:59Z`, false],
]

/** Returns the words that are not null, under these names. */
function named(names: [string, string], [from, until]: readonly (string | boolean | null)[]) {
  return Object.fromEntries(
    [from, until].flatMap((one, at) => (typeof one === 'string' ? [[names[at]!, one]] : [])),
  )
}

test('a search finds it on its day and in its month, as all answers show them', async () => {
  const { text } = rows[0] as unknown as { text: string }
  const q = /\p{L}{4,}/u.exec(text)![0]
  const finds = async (path: string, dates: Record<string, string>): Promise<Json> => {
    for (;;) {
      const found = await who.gets(`${path}?${new URLSearchParams({ q, ...dates })}`)
      if (found['indexed'] === found['owned']) return found
    }
  }
  for (const [from, until, isInside] of ASKED)
    for (const path of ['/search', '/search/mentions']) {
      const found = await finds(path, named(['after', 'before'], [from, until]))
      assert.equal(found['total'] > 0, isInside, `${path} ${from} ${until}`)
      if (isInside) assert.equal(found['months'][0].month, day.slice(0, 7))
    }
})

test('an order takes it by its day, and a preview says so', async () => {
  for (const [from, until, isInside] of ASKED) {
    const buyer = await customer('1')
    const order = {
      urls: [videoId],
      ...named(['publishedAfter', 'publishedBefore'], [from, until]),
    }
    const { rows: taken } = await buyer.orders(order)
    assert.equal(taken[0]!['status'], isInside ? 'success' : 'skipped', `${from} ${until}`)
  }
})

test('an agent is told the date of a video as the platform gave it', async () => {
  const agent = await modernAgent(who)
  const calls: [string, Json][] = [
    ['list_results', { jobId: id }],
    ['list_library', { collectionId: projectId }],
    ['get_transcript', { video: videoId }],
  ]
  for (const [tool, args] of calls) {
    const { structuredContent } = await agent.calls(tool, args)
    // A list has instants, which say that they are of UTC.
    const { newestAt: _, oldestAt: __, ...told } = structuredContent ?? {}
    assert.doesNotMatch(JSON.stringify(told), spelled(utc), tool)
  }
})
