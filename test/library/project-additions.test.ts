/**
 * What is added to a project is found and taken up by the database, and means the same as the rule that is written here
 * in plain TypeScript: which texts are taken, which count as present, what is refused, and which row of several stays.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { planDeletion } from '../../src/features/library/delete-texts.ts'
import { addToProject, type ProjectAddition } from '../../src/features/library/projects.ts'
import { LIMITS } from '../../src/config/config.ts'
import { findMeeting } from '../../src/model/jobs/owned-text.ts'
import { instantOf } from '../../src/store/collections.ts'
import { testDatabase } from '../support/database.ts'
import { SEED } from '../support/seed.ts'
import {
  ACCOUNT,
  addition,
  addMany,
  BATCH,
  CHANNEL,
  channelOf,
  fill,
  type OfferingJob,
  job,
  OTHER,
  PROJECT,
  type OfferedText,
  titleOf,
  OFFERED_VIDEOS,
} from './offered-rows.ts'

const database = await testDatabase({ after })
const sql = await database.connect()
await sql.query('set session_replication_role = replica') // rows without the orders behind them
await sql.query(`insert into account (id, email) values ($1, 'a@example.org')`, [ACCOUNT])

test('any addition takes, counts and refuses what the rule says, on top of what was added before', async () => {
  const world = fc.record({
    jobs: fc.array(job, { minLength: 1, maxLength: 4, size: 'max' }),
    batchLanguage: fc.constantFrom('original', 'EN', 'de', 'iw'),
    additions: fc.array(fc.record({ what: addition, to: fc.constantFrom(PROJECT, OTHER) }), {
      minLength: 1,
      maxLength: 6,
      size: 'max',
    }),
  })
  await fc.assert(
    fc.asyncProperty(world, async ({ jobs: drawn, batchLanguage, additions }) => {
      const jobs = drawn.map(({ rows, urlSet, ...one }, at): OfferingJob => {
        const language = one.isOfBatch ? batchLanguage : one.language
        const made = rows.flatMap((each, place) =>
          each === null
            ? []
            : [{ ...each, index: place + 1, videoId: OFFERED_VIDEOS[place] ?? '' }],
        )
        const wishedTrack = one.isOfBatch ? null : one.wishedTrack
        const id = `job${at + 1}`
        const urlSetHash = urlSet ?? id
        return { ...one, language, wishedTrack, id, urlSetHash, number: at, rows: made }
      })
      await fill(sql, jobs, batchLanguage)
      const held = new Map([PROJECT, OTHER].map((id) => [id, new Map<string, OfferedText>()]))
      for (const { what, to } of additions) {
        const found = await addToProject(database.db, { accountId: ACCOUNT, projectId: to }, what)
        assert.deepEqual(found, expectedOf(jobs, held, { what, to }))
        assert.deepEqual(await contentsOf(to), contentsOfRule(held.get(to)))
      }
    }),
    { seed: SEED, numRuns: 120 },
  )
})

/** The rule: rows are offered in an order, each once; of several with one text the last is taken. */
function expectedOf(
  jobs: OfferingJob[],
  held: Map<string, Map<string, OfferedText>>,
  { what, to }: { what: ProjectAddition; to: string },
) {
  const offered = offeredOf(jobs, held, what)
  if (offered === null) return null
  const taken = new Map<string, OfferedText>()
  const refused: { jobId: string; index: number; reason: string }[] = []
  for (const { jobId, index } of new Map(
    offered.map((one) => [`${one.jobId} ${one.index}`, one]),
  ).values()) {
    const text = textAt(jobs, { jobId, index })
    const reason = reasonOf(text)
    if (reason !== null) refused.push({ jobId, index, reason })
    else if (text !== null) taken.set(nameOf(text), text)
  }
  const project = held.get(to) ?? new Map<string, OfferedText>()
  let added = 0
  for (const [name, text] of taken) {
    const before = project.get(name)
    if (before !== undefined && !before.job.isDeleted) continue
    project.set(name, text)
    added += 1
  }
  return { added, present: taken.size - added, refusals: refused.length, refused }
}

function offeredOf(
  jobs: OfferingJob[],
  held: Map<string, Map<string, OfferedText>>,
  what: ProjectAddition,
) {
  const own = jobs.filter(({ accountId }) => accountId === ACCOUNT)
  if ('videos' in what) return what.videos
  if ('jobId' in what) {
    const found = own.find(({ id }) => id === what.jobId)
    return found === undefined ? null : behind(own, found)
  }
  if ('batchId' in what) {
    if (what.batchId !== BATCH) return null
    return own.filter(({ isOfBatch }) => isOfBatch).flatMap((one) => behind(own, one))
  }
  const project = held.get(what.collectionId)
  if (what.collectionId !== CHANNEL && project === undefined) return null
  const texts = project === undefined ? channelOf(own) : [...project.values()]
  const { title, language } = what
  return texts
    .filter((text) => title === null || titleOf(text.row).includes(title.toLowerCase()))
    .filter((text) => language === null || text.row.languageCode === language)
    .toSorted(
      (a, b) =>
        timeOf(b) - timeOf(a) ||
        order(a.row.videoId, b.row.videoId) ||
        order(a.job.id, b.job.id) ||
        a.row.index - b.row.index,
    )
    .map((text) => ({ jobId: text.job.id, index: text.row.index }))
}

/** A job's own texts, and behind its unchanged rows that of the same URL set, or the first that meets its wish. */
function behind(jobs: OfferingJob[], { id, urlSetHash, language, wishedTrack, rows }: OfferingJob) {
  const own = rows.filter(({ status }) => status === 'success')
  const others = rows.flatMap(({ status, videoId, ...came }) => {
    if (status !== 'unchanged') return []
    const has = (each: OfferingJob): boolean =>
      each.rows.some((one) => one.status === 'success' && one.videoId === videoId)
    const lastOfSet = (each: OfferingJob): boolean =>
      each === jobs.findLast((one) => one.urlSetHash === each.urlSetHash && has(one))
    const texts = jobs.filter(lastOfSet).flatMap((each) =>
      each.rows
        .filter((one) => one.status === 'success' && one.videoId === videoId && !each.isDeleted)
        .map(({ index, languageCode, trackKind }) => {
          const deliveredAt = new Date(each.number)
          const wished = { wishedLanguage: each.language, wishedTrack: each.wishedTrack }
          const text = { jobId: each.id, index, languageCode, trackKind, ...wished, deliveredAt }
          return { ...text, urlSetHash: each.urlSetHash }
        }),
    )
    const ofSet = texts.find((text) => text.urlSetHash === urlSetHash)
    return ofSet ?? findMeeting(texts, { language, wishedTrack }, came) ?? []
  })
  return [...own.map(({ index }) => ({ jobId: id, index })), ...others]
}

function textAt(
  jobs: OfferingJob[],
  { jobId, index }: { jobId: string; index: number },
): OfferedText | null {
  const found = jobs.find(({ id, accountId }) => id === jobId && accountId === ACCOUNT)
  const at = found?.rows.find((one) => one.index === index)
  return found === undefined || at === undefined ? null : { job: found, row: at }
}

function reasonOf(text: OfferedText | null): string | null {
  if (text === null) return 'Your account has no such row.'
  if (text.job.isDeleted) return 'Its text was removed on 2026-11-25'
  if (text.row.status === 'success') return null
  return text.row.status === 'unchanged'
    ? 'An earlier job holds its text; add it from there.'
    : 'It has no transcript of yours.'
}

const nameOf = ({ row: { videoId, languageCode, trackKind } }: OfferedText): string =>
  [videoId, languageCode, trackKind].join(' ')
const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
const timeOf = (text: OfferedText): number =>
  Date.parse(instantOf(text.row.publishedAt) ?? '0001-01-01')

function contentsOfRule(project: Map<string, OfferedText> = new Map()): string[] {
  const lines = [...project].map(([name, text]) =>
    [name, text.job.id, text.row.index, instantOf(text.row.publishedAt)].join(' '),
  )
  return lines.sort()
}

async function contentsOf(projectId: string): Promise<string[]> {
  const { rows } = await sql.query(
    `select v.*, p.videos from project p left join project_video v on v.project_id = p.id where p.id = $1`,
    [projectId],
  )
  const texts = rows.filter((one) => one.video_id !== null)
  assert.equal(rows[0].videos, texts.length)
  const lines = texts.map((one) =>
    [
      `${one.video_id} ${one.language_code} ${one.track_kind}`,
      one.job_id,
      one.index,
      one.published_at?.toISOString(),
    ].join(' '),
  )
  return lines.sort()
}

const owned = { accountId: ACCOUNT, projectId: PROJECT }
const wholeChannel = { collectionId: CHANNEL, title: null, language: null }

test('a project is filled to its bound and not beyond, by whatever is added', async () => {
  const most = LIMITS.projectVideosMax
  await addMany(sql, most + 1)
  const refusal = { message: `A project holds at most 10,000 videos; nothing was added.` }
  for (const what of [{ jobId: 'repeats' }, { jobId: 'delivers' }, wholeChannel])
    await assert.rejects(addToProject(database.db, owned, what), refusal)
  assert.deepEqual(await contentsOf(PROJECT), [])
  await sql.query(`delete from video_row where index > $1 and job_id = 'repeats'`, [most])
  const full = { added: most, present: 0, refusals: 0, refused: [] }
  assert.deepEqual(await addToProject(database.db, owned, { jobId: 'repeats' }), full)
  const again = { added: 0, present: most, refusals: 0, refused: [] }
  assert.deepEqual(await addToProject(database.db, owned, { jobId: 'repeats' }), again)
  const beyond = { videos: [{ jobId: 'delivers', index: most + 1 }] }
  await assert.rejects(addToProject(database.db, owned, beyond), refusal)
  assert.equal((await contentsOf(PROJECT)).length, most)
})

test('what is added does not come to the process', async () => {
  const videos = 2_000
  await addMany(sql, videos)
  const seen = await rowsReceived(async () => {
    for (const what of [{ jobId: 'repeats' }, { jobId: 'delivers' }, wholeChannel])
      await addToProject(database.db, owned, what)
  })
  assert.equal((await contentsOf(PROJECT)).length, videos)
  assert.ok(seen < videos / 2, `${seen} rows were read`)
})

test('a job and its channel are no more texts of a selection than the job', async () => {
  const texts = LIMITS.selectionTextsMax / 2 + 1
  await addMany(sql, texts)
  const selection = { jobs: ['delivers'], batches: [], collections: [CHANNEL], rows: [] }
  const plan = await planDeletion(database.db, ACCOUNT, { selection })
  assert.deepEqual([plan?.texts, plan?.videos], [texts, texts])
})

/** Returns how many rows the database sent meanwhile. */
async function rowsReceived(act: () => Promise<unknown>): Promise<number> {
  const queries = pg.Query.prototype as unknown as { handleDataRow(message: unknown): void }
  const { handleDataRow } = queries
  let rows = 0
  queries.handleDataRow = function count(message) {
    rows += 1
    handleDataRow.call(this, message)
  }
  await act()
  queries.handleDataRow = handleDataRow
  return rows
}
