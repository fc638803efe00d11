/**
 * Where texts go on: a channel, a job and a project as sources of a notebook, as a vault, as entries of reference
 * managers and as a table for 4CAT, each read by a parser that is not ours.
 */
import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { plugins } from '@citation-js/core'
import '@citation-js/plugin-ris'
import { parse as parseCsv } from 'csv-parse/sync'
import { parse as parseYaml } from 'yaml'
import { fromBufferPromise } from 'yauzl'
import type { Json } from '../../tools/conformance/http.ts'
import { takeWords } from '../../src/model/files/notebook.ts'
import { keys, projectBuyer } from './project-buyer.ts'

const { world, orders, sends, refused, fetched, bytesOf, delivered, makes } = await projectBuyer({
  after,
})
const channel = world.channel('small')
const ofChannel = `/library/${channel.channelId}/files`
const texts = delivered(0).map(({ row }) => row)
const [{ job }] = orders as [(typeof orders)[number], ...unknown[]]

async function filesOf(path: string): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(await bytesOf(path), { lazyEntries: true })
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, (await buffer(await zip.openReadStreamPromise(entry))).toString())
  return files
}

const headings = (text: string) => text.match(/^# .+$/gm) ?? []
const plain = (text: string) => text.replace(/[\s\\]/g, '')

test('a channel is one source of a notebook, the oldest video first, or several where they are shorter', async () => {
  const [[name, whole = ''] = [], ...others] = await filesOf(`${ofChannel}/notebook.zip`)
  assert.equal(others.length, 0)
  const days = texts.map(({ publishedAt }) => (publishedAt as string).slice(0, 10)).toSorted()
  assert.equal(name, `01 ${channel.title} ${days.at(0)} to ${days.at(-1)}.md`)
  const dates = [...whole.matchAll(/^- Published: (.+)$/gm)].map(([, date = '']) => date)
  assert.deepEqual([dates.length, dates], [texts.length, dates.toSorted()])
  for (const { text, url } of texts) {
    assert.ok(plain(whole).includes(plain(text as string)))
    assert.ok(whole.includes(`- Video: <${url}>\n`))
  }

  const parts = await filesOf(`${ofChannel}/notebook.zip?parts=300&words=1000`)
  assert.ok(parts.size > 1)
  assert.deepEqual([...parts.keys()], [...parts.keys()].toSorted())
  for (const source of parts.values()) assert.ok(takeWords(source).words <= 1_000)
  const joined = [...parts.values()].join('')
  assert.deepEqual([...new Set(headings(joined))], headings(whole))
  assert.match(
    (await fetched(`${ofChannel}/notebook.zip`)).headers.get('content-disposition')!,
    / notebook\.zip/,
  )
})

test('a notebook that is too small is refused with what it takes, before anything is sent', async () => {
  const { size: needed } = await filesOf(`/jobs/${job['id']}/notebook.zip?parts=300&words=1000`)
  const least = await filesOf(`/jobs/${job['id']}/notebook.zip?parts=${needed}&words=1000`)
  assert.equal(least.size, needed)
  const path = `/jobs/${job['id']}/notebook.zip?parts=${needed - 1}&words=1000`
  const { status, code, message } = await refused('GET', path)
  assert.deepEqual([status, code], [400, 'invalid_request'])
  assert.match(
    message,
    new RegExp(
      `^parts: the ${texts.length} texts have [\\d,]+ words, which fill ${needed} sources of at most 1,000 words, and ${needed - 1} are allowed\\. Ask for parts=${needed}, or `,
    ),
  )
  for (const wrong of ['parts=0', 'parts=301', 'words=999', 'words=1000001', 'words=a'])
    assert.equal((await refused('GET', `${ofChannel}/notebook.zip?${wrong}`))['status'], 400, wrong)
})

test('a vault has a note for each text, with its properties', async () => {
  const both = [...delivered(0), ...delivered(1)]
  const { id } = await makes('A vault')
  await sends('POST', `/projects/${id}/videos`, { videos: keys(both) })
  const notes = await filesOf(`/library/${id}/files/vault.zip`)
  assert.equal(notes.size, both.length)
  assert.deepEqual(
    [...notes.keys()].filter((name) => /[[\]#^|\\/:*?"<>]/.test(name)),
    [],
  )
  const properties = [...notes.values()].map((note) => {
    const [, front = '', ...rest] = note.split('---\n')
    assert.match(rest.join(''), /^\n# /)
    return parseYaml(front) as Json
  })
  const told = (rows: Json[]) =>
    rows
      .map(({ videoId, title, channel: of, language, captions }) =>
        [videoId, title, of, language, captions].join('|'),
      )
      .toSorted()
  assert.deepEqual(
    told(properties),
    told(
      both.map(({ row: { trackKind, languageCode: language, channelName, ...row } }) => {
        const captions = trackKind === 'asr' ? 'automatic' : 'creator'
        return { ...row, channel: channelName, language, captions }
      }),
    ),
  )
  assert.ok(
    properties.every(({ duration, tags }) => Number.isInteger(duration) && Array.isArray(tags)),
  )
})

test('reference managers read an entry for each video', async () => {
  const { source } = await sends('GET', `/jobs/${job['id']}/videos/1`)
  const fetchedOn = (source.fetchedAt as string).slice(0, 10).split('-').map(Number)
  const ids = texts.map(({ videoId }) => videoId as string).toSorted()
  for (const files of [`/jobs/${job['id']}`, ofChannel]) {
    const reply = await fetched(`${files}/export.csl.json`)
    assert.equal(reply.headers.get('content-type'), 'application/vnd.citationstyles.csl+json')
    const csl = (await reply.json()) as Json[]
    assert.deepEqual(csl.map(({ id }) => id as string).toSorted(), ids)
    for (const { title, author, URL: url, accessed } of csl) {
      const row = texts.find((text) => text['url'] === url)
      assert.deepEqual([title, author], [row?.['title'], [{ literal: row?.['channelName'] }]])
      assert.equal(accessed['date-parts'][0].length, 3)
    }
    assert.ok(csl.some(({ accessed }) => `${accessed['date-parts'][0]}` === `${fetchedOn}`))
    const ris = (await bytesOf(`${files}/export.ris`)).toString()
    const read = plugins.input.chain(ris, { generateGraph: false }) as Json[]
    const facts = (entries: Json[]) =>
      entries.map(({ id, title, issued, accessed }) => ({ id, title, issued, accessed }))
    assert.deepEqual(facts(read), facts(csl))
  }
  const { id } = await makes('Nothing yet')
  assert.deepEqual(await (await fetched(`/library/${id}/files/export.csl.json`)).json(), [])
})

test('4CAT finds its columns, and the whole text of each video', async () => {
  for (const files of [`/jobs/${job['id']}`, ofChannel]) {
    const rows = parseCsv(await bytesOf(`${files}/export.4cat.csv`), { columns: true }) as Json[]
    assert.deepEqual(Object.keys(rows[0]!).slice(0, 5), [
      'id',
      'thread_id',
      'author',
      'timestamp',
      'body',
    ])
    assert.deepEqual(
      rows.map(({ id, body, thread_id: thread }) => [id, body, thread].join('|')).toSorted(),
      texts.map(({ videoId, text }) => [videoId, text, channel.channelId].join('|')).toSorted(),
    )
    for (const { timestamp } of rows) assert.match(timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  }
})
