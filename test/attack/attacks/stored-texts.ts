/** Attacks by what one bought text stores: work that grows with it, in every way in which it is read. */
import assert from 'node:assert/strict'
import { addLibrary, LARGE_CHANNEL } from '../../support/large-library.ts'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import type { FaultRule } from '../../../emulator/faults.ts'
import { until } from '../../support/until.ts'
import type { Attack, Target } from '../attack.ts'
import { EXPORT_FILES, FORM_FILES } from '../../../src/model/files/catalogue.ts'

/** The most cues that a track may have, and the most chapters that a description holds. */
const CUES = 240_000
const CHAPTERS = 499
/** Jobs of the library that `addLibrary` makes have this name. */
const JOB = `job-${LARGE_CHANNEL}-0`
const CUE_MS = 200
const CHAPTER_SECONDS = 96

/** Each way to read the text, by its path. */
const READS = [
  ...EXPORT_FILES.flatMap((file) => {
    const address = file === 'export.jsonl' ? `${file}?seconds=5` : file
    return [`/jobs/${JOB}/${address}`, `/library/${LARGE_CHANNEL}/files/${address}`]
  }),
  `/jobs/${JOB}/files/zip?exports=md,jsonl`,
  `/library/${LARGE_CHANNEL}/files/zip?exports=md,jsonl`,
  `/jobs/${JOB}/files/zip`,
  `/jobs/${JOB}/files/all.txt`,
  `/jobs/${JOB}/files/report.csv`,
  `/jobs/${JOB}/results`,
  ...FORM_FILES.map((form) => `/jobs/${JOB}/files/1.${form}`),
  `/library/${LARGE_CHANNEL}`,
  '/search?q=word',
]

export const STORED_TEXTS: readonly Attack[] = [
  ...READS.map((path): Attack => ({
    name: `a text of ${CUES} cues with ${CHAPTERS} chapters, read by GET ${path.replace(JOB, '{id}').replace(LARGE_CHANNEL, '{id}')}`,
    class: 'times',
    isMeasured: true,
    async run(target) {
      const who = await ownerOfText(target)
      await target.begins()
      const { status, bytes } = await who.asks('GET', path)
      assert.equal(status, 200, bytes.toString('utf8', 0, 300))
      return `${Math.round(bytes.length / 1024)} KB`
    },
  })),
  {
    name: 'such a text, read by an agent page by page, with and without times',
    class: 'times',
    isMeasured: true,
    async run(target) {
      const who = await ownerOfText(target)
      await target.begins()
      const pages = []
      for (const timestamps of [false, true])
        for (const cursor of [0, 1_000_000]) {
          const asked = { jobId: JOB, index: 1, cursor, timestamps }
          pages.push((await readByAgent(who, target, asked)).length)
        }
      return `pages of ${pages.join(', ')} characters`
    },
  },
  {
    name: 'a trial of captions of 8 MB',
    class: 'times',
    isMeasured: true,
    async run(target) {
      const { platform, database } = target.fleet
      platform.apply({ faults: [LONG_CAPTIONS] })
      try {
        const body = new URLSearchParams({ video: platform.world.special('both').videoId })
        await target.begins()
        const { status } = await fetch(`${target.address}/trial`, {
          method: 'POST',
          redirect: 'manual',
          body,
        })
        assert.equal(status, 303)
        await until('it is read', async () => {
          const { rows } = await database.pool.query(
            `select from preview where account_id is null and findings -> 'trial' ->> 'kind' = 'read'`,
          )
          return rows.length === 1
        })
        return 'its first minutes are shown'
      } finally {
        platform.apply({ faults: [] })
      }
    },
  },
  {
    name: 'ten downloads of such a text at once, beside somebody who asks for a balance',
    class: 'times',
    isMeasured: true,
    async run(target) {
      const who = await ownerOfText(target)
      const other = await target.customer()
      await other.gets('/balance')
      await target.begins()
      const downloads = Promise.all(
        READS.slice(0, 5).flatMap((path) => [who.downloads(path), who.downloads(path)]),
      )
      let isOver = false
      void downloads.finally(() => (isOver = true)).catch(() => undefined)
      let asked = 0
      for (; !isOver; asked += 1) await other.asks('GET', '/balance')
      const bytes = (await downloads).reduce((sum, one) => sum + one.length, 0)
      return `${Math.round(bytes / 1024 ** 2)} MB, ${asked} balances meanwhile`
    },
  },
]

/** Captions of some 220,000 cues, in time. */
const LONG_CAPTIONS: FaultRule = {
  do: 'made_up',
  on: 'timedtext',
  head: '{"wireMagic":"pb3","events":[',
  pump: '{"tStartMs":%n,"segs":[{"utf8":"a"}]},',
  tail: '0]}',
  bytes: 8 * 1024 * 1024,
}

/** Returns what the tool `read_transcript` says. */
async function readByAgent(who: Customer, target: Target, asked: object): Promise<string> {
  const params = { name: 'read_transcript', arguments: asked }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const answer = await who.asks('POST', `${target.address}/mcp`, { body })
  const { content, isError } = (answer.body as Json)['result']
  assert.ok(isError !== true, JSON.stringify(content).slice(0, 300))
  return content[0].text as string
}

/** A customer who owns the text, stored as a job stores it. */
async function ownerOfText(target: Target): Promise<Customer> {
  const who = await target.customer()
  const { pool } = target.fleet.database
  await pool.query(`delete from job where id = $1`, [JOB])
  await addLibrary(pool, {
    texts: 1,
    collections: 1,
    videosEach: 0,
    accountId: who.accountId,
    transcript: { languageCode: 'en', trackKind: 'asr', segments: cues(), source: null },
  })
  await pool.query('update video_details set description = $1 where channel_id = $2', [
    chapterLines(),
    LARGE_CHANNEL,
  ])
  return who
}

function cues(): { startMs: number; endMs: number; text: string }[] {
  return Array.from({ length: CUES }, (_, at) => ({
    startMs: at * CUE_MS,
    endMs: (at + 1) * CUE_MS,
    text: `word ${at % 97}`,
  }))
}

function chapterLines(): string {
  return Array.from({ length: CHAPTERS }, (_, at) => `${clock(at * CHAPTER_SECONDS)} C`).join('\n')
}

function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return `${hours}:${String(minutes).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`
}
