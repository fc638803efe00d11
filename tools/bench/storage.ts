/**
 * What a transcript costs in its life: written once, read as results and as a ZIP, and both again a year later. Talks
 * of twelve minutes, in every format.
 */
import type pg from 'pg'
import { request } from 'undici'
import { startFileService } from '../../test/files/file-service.ts'
import { FORMATS } from '../../src/model/files/catalogue.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { TestScope } from '../../test/support/database.ts'
import type { Transcript } from '../../src/model/transcripts/transcript.ts'
import type { BenchOptions } from './bench.ts'
import { packWordTimes } from '../../src/model/transcripts/word-times.ts'
import { talkReplies, talkTranscripts, transcriptOf } from './captions.ts'
import { closing } from './stage/closing.ts'
import { cpuMsOf, leastCpuMsOf } from './stage/cpu.ts'
import { liftBrakes, storedBytes } from './stage/stage.ts'
import { median, table, verdict } from './table.ts'

/** Milliseconds of our process for each transcript; the database's own are not among them. */
type LifeCost = {
  renderMs: number
  /** Bytes of the stored values, and of all that tables and indexes add. */
  valueBytes: number
  storedBytes: number
  walBytes: number
  resultsMs: number
  resultsGzipMs: number
  zipMs: number
  zipBytes: number
  /** Time until the first byte of the whole ZIP. */
  zipFirstByteMs: number
  lifeMs: number
}
/** What the times of words add to a transcript. */
type WordTimesCost = {
  bytes: number
  /** CPU of finding the words in the reply and of packing their times, in milliseconds. */
  ms: number
  /** CPU of reading the same reply without them, which says how fast the machine is just then. */
  readingMs: number
}
type StorageResult = { videos: number; life: LifeCost; wordTimes: WordTimesCost }

const PAGE_ROWS = 200
const ROUNDS = 5
const WORD_ROUNDS = 11
const GOALS = {
  valueBytes: 9_000,
  walBytes: 12_000,
  firstByteMs: 300,
  wordTimesBytes: 2_500,
  wordTimesMs: 0.6,
}

export async function run({ smoke }: BenchOptions): Promise<StorageResult> {
  const videos = smoke ? 20 : 500
  const wordTimes = await wordTimesOf(videos)
  const life = await closing((scope) => lifeOf(talkTranscripts(videos), scope))
  const result = { videos, life, wordTimes }
  print(result)
  return result
}

/**
 * Measures what word times cost beside the rest of a reading: replies as they are, and with their times under names
 * that nobody reads, which takes the same parsing. Rounds of both take turns, since a machine is slower for a while;
 * nothing is kept of a text, as in a worker. The median of the rounds counts.
 */
async function wordTimesOf(videos: number): Promise<WordTimesCost> {
  const timed = talkReplies(videos)
  const untimed = timed.map(withoutTimes)
  let bytes = 0
  const reading = (replies: Buffer[]) => async (): Promise<void> => {
    bytes = 0
    for (const reply of replies) bytes += packWordTimes(transcriptOf(reply).segments)?.length ?? 0
  }
  const rounds: { without: number; more: number }[] = []
  for (let round = 0; round < WORD_ROUNDS; round += 1) {
    const without = await cpuMsOf(reading(untimed))
    rounds.push({ without, more: (await cpuMsOf(reading(timed))) - without })
  }
  const middle = median(rounds.map(({ more }) => more))
  const { without, more } = rounds.find((round) => round.more === middle) ?? { without: 0, more: 0 }
  return { bytes: bytes / videos, ms: more / videos, readingMs: without / videos }
}

function withoutTimes(reply: Buffer): Buffer {
  const text = reply.toString().replaceAll('"tOffsetMs"', '"tOffsetNo"')
  return Buffer.from(text.replaceAll('"acAsrConf"', '"acAsrNone"'))
}

async function lifeOf(transcripts: Transcript[], scope: TestScope): Promise<LifeCost> {
  const service = await startFileService(scope)
  const customer = await service.customer()
  const { pool } = service.ctx
  await liftBrakes(pool)
  const each = transcripts.length
  const rendering = async (): Promise<void> => {
    for (const transcript of transcripts) await storeTranscript(transcript, FORMATS)
  }
  const renderMs = (await leastCpuMsOf(ROUNDS, rendering)) / each

  const videos = transcripts.map(({ segments }, at) => ({ title: `Video ${at}`, segments }))
  await pool.query('checkpoint')
  const walFrom = (await storedBytes(pool)).wal
  const job = await customer.recordsJob(videos, { formats: [...FORMATS], isFinal: true })
  const stored = await storedBytes(pool)
  const valueBytes = (await valuesOf(pool)) / each

  const asking = { url: `${service.url}/api/v1/jobs/${job.id}`, key: customer.key }
  const rows = Math.min(PAGE_ROWS, each)
  const page = `results?limit=${rows}`
  const read = (path: string, encoding?: string): Promise<number> =>
    leastCpuMsOf(ROUNDS, () => get(asking, path, encoding))
  const resultsMs = (await read(page)) / rows
  const resultsGzipMs = (await read(page, 'gzip')) / rows
  await get(asking, 'files/zip') // warm-up of the code
  const zip = await get(asking, 'files/zip')
  const zipMs = (await read('files/zip')) / each
  return {
    renderMs,
    valueBytes,
    storedBytes: stored.texts / each,
    walBytes: (stored.wal - walFrom) / each,
    resultsMs,
    resultsGzipMs,
    zipMs,
    zipBytes: zip.bytes,
    zipFirstByteMs: zip.firstByteMs,
    lifeMs: renderMs + 2 * (resultsMs + zipMs),
  }
}

async function get(
  { url, key }: { url: string; key: string },
  path: string,
  encoding = 'identity',
): Promise<{ firstByteMs: number; bytes: number }> {
  const startedAt = performance.now()
  const headers = { authorization: `Bearer ${key}`, 'accept-encoding': encoding }
  const answer = await request(`${url}/${path}`, { headers })
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  let [firstByteMs, bytes] = [0, 0]
  for await (const chunk of answer.body) {
    if (bytes === 0) firstByteMs = performance.now() - startedAt
    bytes += (chunk as Buffer).length
  }
  return { firstByteMs, bytes }
}

async function valuesOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select (select sum(pg_column_size(t.*)) from transcript t)::float8
      + (select coalesce(sum(pg_column_size(b.*)), 0) from transcript_body b)::float8 as bytes`,
  )
  return rows[0]?.bytes ?? 0
}

function print({ videos, life, wordTimes }: StorageResult): void {
  const ms = (name: string, value: number): string[] => [name, value.toFixed(2)]
  const kb = (name: string, value: number): string[] => [name, (value / 1000).toFixed(1)]
  const goal = (name: keyof typeof GOALS, is: number): string => verdict(is <= GOALS[name])
  console.log(
    [
      `storage: a transcript's life, ${videos} talks of twelve minutes in four formats; CPU of the service's process`,
      table([
        ['of a transcript', ''],
        kb('its values, KB', life.valueBytes),
        kb('with tables and indexes, KB', life.storedBytes),
        kb('WAL of its row, KB', life.walBytes),
        ms('write and pack, ms', life.renderMs),
        ms('read as results, ms', life.resultsMs),
        ms('results as gzip, ms', life.resultsGzipMs),
        ms('in a ZIP, ms', life.zipMs),
        ms('life, ms', life.lifeMs),
        kb('times of its words, KB of its values', wordTimes.bytes),
        ms('their finding and packing, ms', wordTimes.ms),
        ms('reading a reply without them, ms', wordTimes.readingMs),
      ]),
      `the ZIP: first byte after ${life.zipFirstByteMs.toFixed(0)} ms, ${(life.zipBytes / videos / 1000).toFixed(1)} KB a video`,
      `goals: at most 9 KB ${goal('valueBytes', life.valueBytes)}, 12 KB of WAL ${goal('walBytes', life.walBytes)}, ` +
        `a first byte within 300 ms ${goal('firstByteMs', life.zipFirstByteMs)}`,
      `goals of word times: at most 2.5 KB ${goal('wordTimesBytes', wordTimes.bytes)}, 0.6 ms ${goal('wordTimesMs', wordTimes.ms)}`,
    ].join('\n'),
  )
}
