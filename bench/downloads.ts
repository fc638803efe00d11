/**
 * What downloads cost over HTTP. A results page of 200 rows, against a bare loop that reads, inflates
 * and sends the same pieces: one statement, no key, no job, no framing, from this process too. And
 * the ZIP: its first byte, and the memory that a slow reader costs.
 */
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { type TextSource, textsOf } from '../src/features/transcripts/read-stored.ts'
import { readForms } from '../src/features/transcripts/read-transcripts.ts'
import { FORMATS } from '../src/model/files/catalogue.ts'
import { startFileService } from '../test/files/file-service.ts'
import type { BenchOptions } from './bench.ts'
import { talkTranscripts } from './captions.ts'
import { percent } from './table.ts'

export type DownloadsResult = {
  rows: number
  pageBytes: number
  gzipBytes: number
  /** Pages a second. */
  ours: number
  oursGzip: number
  bare: number
  shareOfBare: number
  gzipShareOfBare: number
  zipBytes: number
  zipFirstByteMs: number
  slowReaderGrowthBytes: number
}

type Target = { url: string; headers: Record<string, string> }

/** Rounds alternate, so that other load on the machine meets all alike; the best of each counts. */
const ROUNDS = 5
const PAGES_PER_ROUND = 12
const READERS = 2
/** Pause of a slow reader after each piece, in milliseconds. */
const SLOW_MS = 3

/** Starts the service on a database of its own, prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<DownloadsResult> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await measure(smoke, (end) => ends.push(end))
  } finally {
    for (const end of ends) await end()
  }
}

async function measure(
  smoke: boolean,
  after: (end: () => Promise<void>) => void,
): Promise<DownloadsResult> {
  const rows = smoke ? 20 : 200
  const service = await startFileService({ after })
  const customer = await service.customer()
  const videos = talkTranscripts(rows).map(({ segments }, at) => ({
    title: `Video number ${at}`,
    segments,
  }))
  const job = await customer.recordsJob(videos, { formats: [...FORMATS], isFinal: true })
  await service.ctx.pool.query('update api_key set bucket_size = 1000000000')
  const bareUrl = await startBareLoop(
    textsOf(service.ctx, customer.accountId),
    { jobId: job.id, rows },
    after,
  )

  const url = `${service.url}/api/v1/jobs/${job.id}/results?limit=${rows}`
  const authorization = `Bearer ${customer.key}`
  const targets: Record<'ours' | 'oursGzip' | 'bare', Target> = {
    ours: { url, headers: { authorization } },
    oursGzip: { url, headers: { authorization, 'accept-encoding': 'gzip' } },
    bare: { url: bareUrl, headers: {} },
  }
  const rates = { ours: 0, oursGzip: 0, bare: 0 }
  for (let round = 0; round < (smoke ? 1 : ROUNDS); round++) {
    for (const name of ['ours', 'oursGzip', 'bare'] as const) {
      rates[name] = Math.max(
        rates[name],
        await pagesPerSecond(targets[name], smoke ? 2 : PAGES_PER_ROUND),
      )
    }
  }
  const result: DownloadsResult = {
    rows,
    pageBytes: await readPage(targets.ours),
    gzipBytes: await readPage(targets.oursGzip),
    ...rates,
    shareOfBare: rates.ours / rates.bare,
    gzipShareOfBare: rates.oursGzip / rates.bare,
    ...(await measureZip({
      url: `${service.url}/api/v1/jobs/${job.id}/files/zip`,
      headers: { authorization },
    })),
  }
  print(result)
  return result
}

async function startBareLoop(
  source: TextSource,
  { jobId, rows }: { jobId: string; rows: number },
  after: (end: () => Promise<void>) => void,
): Promise<string> {
  const wanted = Array.from({ length: rows }, (_, at) => ({
    jobId,
    index: at + 1,
    forms: ['text', 'json'] as const,
  }))
  const server = http.createServer((_request, response) => {
    void readForms(source, wanted).then((contents) => {
      const body = Buffer.concat(contents.map(({ content }) => content))
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
        .end(body)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  after(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const address = server.address()
  return typeof address === 'object' ? `http://127.0.0.1:${address?.port}/` : ''
}

async function pagesPerSecond(target: Target, pages: number): Promise<number> {
  const started = performance.now()
  let left = pages
  const read = async (): Promise<void> => {
    while (left-- > 0) await readPage(target)
  }
  await Promise.all(Array.from({ length: READERS }, read))
  return pages / ((performance.now() - started) / 1000)
}

async function measureZip(target: Target) {
  const firsts: number[] = []
  for (let round = 0; round < ROUNDS; round++) firsts.push((await readZip(target, 0)).firstByteMs)
  const { bytes, growthBytes } = await readZip(target, SLOW_MS)
  return {
    zipBytes: bytes,
    zipFirstByteMs: Math.min(...firsts),
    slowReaderGrowthBytes: growthBytes,
  }
}

/** Returns, among the rest, the most memory that the process, reader included, took above its start. */
async function readZip({ url, headers }: Target, pauseMs: number) {
  const before = process.memoryUsage.rss()
  const started = performance.now()
  const { body } = await request(url, { headers })
  let [bytes, firstByteMs, peak] = [0, Number.NaN, before]
  for await (const chunk of body) {
    if (bytes === 0) firstByteMs = performance.now() - started
    bytes += (chunk as Buffer).length
    peak = Math.max(peak, process.memoryUsage.rss())
    if (pauseMs > 0) await pause(pauseMs)
  }
  return { bytes, firstByteMs, growthBytes: peak - before }
}

async function readPage({ url, headers }: Target): Promise<number> {
  const { statusCode, body } = await request(url, { headers })
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
  let bytes = 0
  for await (const chunk of body) bytes += (chunk as Buffer).length
  return bytes
}

function print(result: DownloadsResult): void {
  const lines = [
    `results page: ${result.rows} rows, ${(result.pageBytes / 1e6).toFixed(1)} MB, ${(result.gzipBytes / 1e6).toFixed(1)} MB as gzip`,
    `  pages a second    ours ${result.ours.toFixed(1)}, as gzip ${result.oursGzip.toFixed(1)}, bare loop ${result.bare.toFixed(1)}`,
    `  of the bare loop  ${percent(result.shareOfBare)}, as gzip ${percent(result.gzipShareOfBare)}`,
    `ZIP of ${result.rows} videos, ${(result.zipBytes / 1e6).toFixed(1)} MB, over HTTP`,
    `  first byte        ${result.zipFirstByteMs.toFixed(1)} ms`,
    `  slow reader       ${(result.slowReaderGrowthBytes / 1e6).toFixed(1)} MB more memory`,
  ]
  console.log(lines.join('\n'))
}
