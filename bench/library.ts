/**
 * The library of an account with many transcripts: how long its list takes, and what a ZIP of a whole channel costs
 * until its first byte and while a slow reader takes it. Times are the least of a few rounds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { request } from 'undici'
import { startFileService } from '../test/files/file-service.ts'
import type { BenchOptions } from './bench.ts'
import { talkTranscripts } from './captions.ts'
import { addLibrary, LARGE_CHANNEL, type LibrarySize } from './library-rows.ts'
import { table, verdict } from './table.ts'

export type LibraryResult = LibrarySize & {
  listMs: number
  pageMs: number
  zips: ZipResult[]
}
type ZipResult = {
  name: string
  firstByteMs: number
  /** CPU time of the process, reader included, until the first byte. */
  cpuMs: number
  bytes: number
  /** Bytes alive above those before, while the reader is in the middle of the ZIP. */
  keptBytes: number
}

const SIZES = {
  full: { texts: 10_000, collections: 100, videosEach: 910 },
  smoke: { texts: 60, collections: 4, videosEach: 20 },
}
const GOALS = { listMs: 50, firstByteMs: 600, keptBytes: 40e6 }
const ROUNDS = 5
const ZIPS: Record<string, string> = {
  'texts only': 'zip?formats=text',
  'all formats': 'zip',
}

type Target = { url: string; headers: Record<string, string> }

/** Starts the service on a database of its own, prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<LibraryResult> {
  const ends: (() => Promise<void>)[] = []
  try {
    const result = await measure(SIZES[smoke ? 'smoke' : 'full'], (end) => ends.push(end))
    print(result)
    return result
  } finally {
    for (const end of ends) await end()
  }
}

async function measure(
  size: LibrarySize,
  after: (end: () => Promise<void>) => void,
): Promise<LibraryResult> {
  const service = await startFileService({ after })
  const { accountId, key } = await service.customer()
  const [transcript] = talkTranscripts(1)
  if (transcript === undefined) throw new Error('there is a talk')
  await addLibrary(service.ctx.pool, { ...size, accountId, transcript })
  await service.ctx.pool.query('update api_key set bucket_size = 1000000000')
  const headers = { authorization: `Bearer ${key}` }
  const at = (path: string): Target => ({ url: `${service.url}/api/v1/library${path}`, headers })
  const zips: ZipResult[] = []
  for (const [name, file] of Object.entries(ZIPS))
    zips.push({ name, ...(await measureZip(at(`/${LARGE_CHANNEL}/files/${file}`))) })
  return {
    ...size,
    listMs: await leastMs(at('?limit=100')),
    pageMs: await leastMs(at(`/${LARGE_CHANNEL}/videos?limit=50`)),
    zips,
  }
}

async function leastMs({ url, headers }: Target): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = performance.now()
    const { statusCode, body } = await request(url, { headers })
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
    await body.arrayBuffer()
    times.push(performance.now() - started)
  }
  return Math.min(...times)
}

async function measureZip(target: Target): Promise<Omit<ZipResult, 'name'>> {
  const rounds: Begun[] = []
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await beginZip(target))
  const { keptBytes, bytes } = rounds.at(-1) ?? { keptBytes: Number.NaN, bytes: 0 }
  const least = (of: (round: Begun) => number): number => Math.min(...rounds.map(of))
  return {
    firstByteMs: least((r) => r.firstByteMs),
    cpuMs: least((r) => r.cpuMs),
    bytes,
    keptBytes,
  }
}

type Begun = Awaited<ReturnType<typeof beginZip>>

/** Reads the first piece, measures the bytes that are alive, and closes the connection. */
async function beginZip({ url, headers }: Target) {
  const before = liveBytes()
  const [started, spent] = [performance.now(), process.cpuUsage()]
  const { statusCode, headers: told, body } = await request(url, { headers })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
  const first = await body[Symbol.asyncIterator]().next()
  const firstByteMs = performance.now() - started
  const { user, system } = process.cpuUsage(spent)
  if (first.done === true) throw new Error('the ZIP is empty')
  await pause(50)
  const keptBytes = liveBytes() - before
  body.destroy()
  return {
    firstByteMs,
    cpuMs: (user + system) / 1000,
    bytes: Number(told['content-length']),
    keptBytes,
  }
}

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc') as () => void

function liveBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function print({ texts, collections, videosEach, listMs, pageMs, zips }: LibraryResult): void {
  const videos = texts + (collections - 1) * videosEach
  const isGoal = texts === SIZES.full.texts
  const goal = (goalMs: number, is: number): string =>
    isGoal ? `${goalMs}: ${verdict(is <= goalMs)}` : ''
  console.log(
    table([
      [`${collections} collections, ${videos} videos`, 'ms', isGoal ? 'goal' : ''],
      ['the list of collections', listMs.toFixed(1), goal(GOALS.listMs, listMs)],
      [`50 videos of one with ${texts}`, pageMs.toFixed(1), ''],
    ]),
  )
  const mb = (bytes: number): string => (bytes / 1e6).toFixed(1)
  console.log(
    table([
      [`ZIP of ${texts} videos`, 'MB', 'first byte ms', 'goal', 'CPU ms', 'kept MB', 'goal'],
      ...zips.map(({ name, bytes, firstByteMs, cpuMs, keptBytes }) => [
        name,
        mb(bytes),
        firstByteMs.toFixed(0),
        goal(GOALS.firstByteMs, firstByteMs),
        cpuMs.toFixed(0),
        mb(keptBytes),
        isGoal ? `40: ${verdict(keptBytes <= GOALS.keptBytes)}` : '',
      ]),
    ]),
  )
}
