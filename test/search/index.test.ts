/** An index file: it has each delivered text once, whatever happens on the way, and knows which texts it has. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  addTexts,
  confirmStanding,
  findBehind,
  readStanding,
} from '../../src/features/search/add-texts.ts'
import type { IndexFile } from '../../src/features/search/index-file.ts'
import type { DateSpan } from '../../src/features/search/messages.ts'
import { isDamage } from '../../src/features/search/index-processes.ts'
import { findMentions } from '../../src/model/search/quote.ts'
import { readQuery, type SearchQuery } from '../../src/model/search/search-query.ts'
import { askMentions, listMatches } from '../../src/features/search/ask-mentions.ts'
import { segmentsOfStored } from '../../src/model/transcripts/transcript-body.ts'
import { addJob, askAll, indexPath, openTestIndex, testIndex, textRow } from './index-files.ts'

type ModelJob = { id: string; processed: number; delivered: number[] }
type Look = { id: string; done: number; success: number }

const acts = fc.array(
  fc.oneof(
    ...[
      fc.record({
        kind: fc.constant('finish' as const),
        job: fc.nat(2),
        isDelivered: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('look' as const) }),
      fc.record({ kind: fc.constant('add' as const), rows: fc.integer({ min: 1, max: 3 }) }),
    ].map((arbitrary) => ({ arbitrary, weight: 3 })),
    // A crash has less weight, since opening a file again takes a hundred times as long as any other act.
    { arbitrary: fc.record({ kind: fc.constant('crash' as const) }), weight: 1 },
  ),
  { maxLength: 60 },
)

test('looks at any moments, batches of any size and crashes leave nothing out and add nothing twice', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const scope = { after: (work: () => Promise<void>) => void ends.push(work) }
      const ends: (() => Promise<void>)[] = []
      const file = indexPath(scope)
      let index = openTestIndex(file)
      const jobs: ModelJob[] = ['a', 'b', 'c'].map((id) => ({ id, processed: 0, delivered: [] }))
      let looks: Look[] = []
      for (const act of all) {
        if (act.kind === 'finish') finish(jobs[act.job]!, act.isDelivered)
        else if (act.kind === 'look') looks = lookAt(jobs)
        else if (act.kind === 'add') addSome(index, { jobs, looks, rowsMax: act.rows })
        else {
          index.close()
          index = openTestIndex(file)
          looks = []
        }
      }
      looks = lookAt(jobs)
      while (addSome(index, { jobs, looks, rowsMax: 2 }));
      const delivered = jobs.flatMap(({ id, delivered }) => delivered.map((at) => `${id} ${at}`))
      const found = askAll(index, 'said').hits.map((hit) => `${hit.jobId} ${hit.index}`)
      assert.deepEqual(found.sort(), delivered.sort())
      assert.equal(readStanding(index).indexed, delivered.length)
      assert.ok(
        confirmStanding(index, 'all', jobs.filter((job) => job.delivered.length > 0).length),
      )
      index.close()
      for (const end of ends) void end()
    }),
    { numRuns: 40 },
  )
})

function finish(job: ModelJob, isDelivered: boolean): void {
  job.processed += 1
  if (isDelivered) job.delivered.push(job.processed)
}

function lookAt(jobs: ModelJob[]): Look[] {
  return jobs
    .filter(({ delivered }) => delivered.length > 0)
    .map(({ id, processed, delivered }) => ({ id, done: processed, success: delivered.length }))
}

/** Adds one batch of what the index lacks from an earlier look; returns false where that is nothing. */
function addSome(
  index: IndexFile,
  { jobs, looks, rowsMax }: { jobs: ModelJob[]; looks: Look[]; rowsMax: number },
): boolean {
  const known = looks.filter(({ id }) => jobs.some((job) => job.id === id))
  const behind = findBehind(index, known)
  assert.ok(behind !== null || looks.length > 0)
  const [from] = behind ?? []
  const look = looks.find(({ id }) => id === from?.id)
  if (from === undefined || look === undefined) return false
  const { delivered } = jobs.find(({ id }) => id === look.id)!
  const rows = delivered.filter((at) => at > from.done && at <= look.done).slice(0, rowsMax)
  const isLast = rows.length < rowsMax
  return addTexts(index, {
    jobId: look.id,
    from: from.done,
    to: isLast ? look.done : rows.at(-1)!,
    success: isLast ? look.success : from.success + rows.length,
    rows: rows.map((at) => textRow(at, ['said'], { videoId: `${look.id}-${at}` })),
  })
}

test('a batch that begins elsewhere than the index ends is not added', () => {
  const index = testIndex({ after })
  addJob(index, 'job', [textRow(1, ['once']), textRow(2, ['once more'])])
  const late = { jobId: 'job', from: 1, to: 3, success: 2, rows: [textRow(3, ['never'])] }
  assert.equal(addTexts(index, late), false)
  assert.equal(askAll(index, 'never').total, 0)
  assert.equal(findBehind(index, [{ id: 'job', done: 1, success: 1 }]), null)
  assert.equal(confirmStanding(index, 'fingerprint', 2), false)
})

test('one text of one video is one hit, another text of it another', () => {
  const index = testIndex({ after })
  const same = { videoId: 'v', textHash: 'aa' }
  addJob(index, 'one', [textRow(1, ['zoo'], same)])
  addJob(index, 'two', [
    textRow(1, ['zoo'], same),
    textRow(2, ['zoo'], { ...same, textHash: 'bb' }),
  ])
  assert.equal(askAll(index, 'zoo').total, 2)
  assert.equal(readStanding(index).indexed, 3)
})

test('months and days are those of the platform’s clock, unknown dates apart, and instants are instants', () => {
  const index = testIndex({ after })
  const dates = ['2026-01-31T23:30:00-02:00', '2026-02-28T23:59:59Z', '2026-03-01', null, 'soon']
  addJob(
    index,
    'job',
    dates.map((publishedAt, at) => textRow(at + 1, ['zoo'], { publishedAt })),
  )
  assert.deepEqual(askAll(index, 'zoo').months, [
    { month: null, count: 2 },
    { month: '2026-01', count: 1 },
    { month: '2026-02', count: 1 },
    { month: '2026-03', count: 1 },
  ])
  const days = (afterDay: string | null, beforeDay: string | null) =>
    hitsOf({ afterMs: null, beforeMs: null, afterDay, beforeDay })
  const hitsOf = (span: DateSpan) =>
    askAll(index, 'zoo', { dates: span }).hits.map((hit) => hit.index)
  assert.deepEqual(days('2026-02-01', '2026-02-28'), [2])
  assert.deepEqual(days('2026-01-31', '2026-01-31'), [1])
  assert.deepEqual(days('2026-02-28', null), [3, 2])
  assert.deepEqual(days(null, '2026-02-28'), [2, 1])
  const instants = { afterDay: null, beforeDay: null }
  const [first, last] = [Date.UTC(2026, 1), Date.UTC(2026, 2) - 1]
  assert.deepEqual(hitsOf({ ...instants, afterMs: first, beforeMs: last }), [2, 1])
  assert.deepEqual(hitsOf({ ...instants, afterMs: last, beforeMs: null }), [3])
})

test('a word stands for the words that hold it where it is part of compounds, in quotes for itself', () => {
  const index = testIndex({ after })
  const german = { languageCode: 'de' }
  const lines = ['Trinkwasserversorgung', 'Grundwasser', 'Wasser', 'Was, er?']
  addJob(
    index,
    'job',
    lines.map((line, at) => textRow(at + 1, [line], german)),
  )
  assert.equal(askAll(index, 'wasser').total, 3)
  assert.equal(askAll(index, '"wasser"').total, 1)
  assert.equal(askAll(index, '-wasser versorgung').total, 1)
  const many = Array.from({ length: 80 }, (_, at) =>
    textRow(at + 1, [`xxxxwasser${'abcdefghij'[at % 10]}${at}`], german),
  )
  addJob(
    index,
    'many',
    many.map((row) => ({ ...row, videoId: `m${row.index}` })),
  )
  assert.equal(askAll(index, 'xxxxwasser').query.terms[0]?.anyOf.length, 50)
})

test('a file that is none of ours, or damaged, is told from what else can go wrong', () => {
  const file = indexPath({ after })
  openTestIndex(file).close()
  fs.writeFileSync(file, 'something else, long enough to be looked at')
  assert.throws(() => openTestIndex(file), isDamage)
  fs.rmSync(file)
  const index = openTestIndex(file)
  index.db.exec('pragma user_version = 99')
  index.close()
  assert.throws(() => openTestIndex(file), isDamage)
  fs.rmSync(file)
  openTestIndex(file)
  for (const ending of ['-wal', '-shm']) fs.rmSync(`${file}${ending}`) // as where it is removed while it is read
  assert.throws(() => openTestIndex(file), isDamage)
  assert.equal(isDamage(new Error('the disk is full')), false)
})

const anywhere = { channel: null, videoId: null, language: null, dates: null }
const asWritten = (q: string): SearchQuery => readQuery(q) as SearchQuery

test('what the index counts is what the texts say, for words, beginnings, phrases and any of both', () => {
  const words = fc.constantFrom('zoo', 'zoology', 'lion', 'the', 'café', '東京', '東京都', 'zoo!')
  const line = fc.array(words, { minLength: 1, maxLength: 6 }).map((all) => all.join(' '))
  const texts = fc.array(fc.array(line, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  })
  const one = fc.constantFrom(
    ...'zoo|zoo*|lion|the|"the zoo"|"zoo zoo"|"zoo zoo lion"|"the zo"*|cafe|東|京|東京|東京都|zoology'.split(
      '|',
    ),
  )
  const query = fc
    .array(fc.tuple(one, fc.constantFrom(' ', ' OR ', ' -')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.map(([word, sign]) => `${word}${sign}`).join(''))
  let compared = 0
  fc.assert(
    fc.property(texts, query, (lines, q) => {
      const read = readQuery(q)
      if ('fault' in read) return
      const scope = { after: (work: () => Promise<void>) => void ends.push(work) }
      const ends: (() => Promise<void>)[] = []
      const index = testIndex(scope)
      const rows = lines.map((text, at) => textRow(at + 1, text))
      addJob(index, 'job', rows)
      const found = askMentions(index, { query: read, filter: anywhere, offset: 0, limit: 3 })
      const matches = listMatches(index, { query: read, filter: anywhere, below: null, limit: 99 })
      const said = matches.rows.map(({ index: row }) => {
        const segments = segmentsOfStored(rows[row - 1]!.stored!)
        return findMentions(segments, matches.query, { skip: 0, take: 999 }).length
      })
      assert.equal(
        found.total,
        said.reduce((sum, count) => sum + count, 0),
        q,
      )
      assert.equal(found.transcripts, said.length)
      const page = found.rows.map(({ take }) => take).reduce((sum, take) => sum + take, 0)
      assert.equal(page, Math.min(3, found.total ?? 0))
      if ((found.total ?? 0) > 0) compared += 1
      for (const end of ends.reverse()) void end()
    }),
    { numRuns: 100 },
  )
  assert.ok(compared > 20, `${compared} queries were said`)
})

test('two channels of one name are two, by their ids, and a text without an id goes with its only namesake', () => {
  const index = testIndex({ after })
  const [one, other] = [`UC${'a'.repeat(22)}`, `UC${'b'.repeat(22)}`]
  const said = (at: number, channelName: string, channelId: string | null) =>
    textRow(at, ['zoo'], { channelName, channelId })
  addJob(index, 'job', [
    said(1, 'Zoo', one),
    said(2, 'Zoo', other),
    said(3, 'Zoo', null),
    said(4, 'Park', null),
    said(5, 'Park', `UC${'c'.repeat(22)}`),
  ])
  const found = (channel: string) =>
    askAll(index, 'zoo', { channel })
      .hits.map((hit) => hit.index)
      .sort()
  assert.deepEqual(found('Zoo'), [1, 2, 3])
  assert.deepEqual([found(one), found(other)], [[1], [2]])
  assert.deepEqual(found(`UC${'c'.repeat(22)}`), [4, 5])
  assert.deepEqual(found(`UC${'d'.repeat(22)}`), [])
  assert.deepEqual(
    askAll(index, 'zoo').channels.map(({ channelId, count }) => [channelId, count]),
    [
      [`UC${'c'.repeat(22)}`, 2],
      [one, 1],
      [other, 1],
      [null, 1],
    ],
  )
})

test('mentions are chosen by video, and paged across transcripts', () => {
  const index = testIndex({ after })
  addJob(index, 'job', [
    textRow(1, ['zoo zoo', 'zoo'], { videoId: 'aaaaaaaaaaa', publishedAt: '2026-03-04' }),
    textRow(2, ['zoo'], { videoId: 'bbbbbbbbbbb', publishedAt: '2026-03-05' }),
  ])
  const asked = { query: asWritten('zoo'), filter: anywhere }
  const rowsAt = (offset: number, limit: number) =>
    askMentions(index, { ...asked, offset, limit }).rows
  assert.deepEqual(rowsAt(0, 2), [
    { jobId: 'job', index: 2, skip: 0, take: 1 },
    { jobId: 'job', index: 1, skip: 0, take: 1 },
  ])
  assert.deepEqual(rowsAt(2, 5), [{ jobId: 'job', index: 1, skip: 1, take: 2 }])
  assert.deepEqual(rowsAt(4, 5), [])
  const ofVideo = { ...anywhere, videoId: 'aaaaaaaaaaa' }
  assert.equal(askMentions(index, { ...asked, filter: ofVideo, offset: 0, limit: 1 }).total, 3)
})
