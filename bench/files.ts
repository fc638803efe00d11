/**
 * What the files of a job cost: the ZIP of 500 videos in four formats, written from the stored words, against
 * yazl and archiver that store the same contents, written from the same words; and making the forms of one transcript.
 */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ZipArchive } from 'archiver'
import yazl from 'yazl'
import { archiveSteps } from '../src/features/files/archive.ts'
import { streamBody } from '../src/kit/file-body.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../src/model/files/job-rows.ts'
import { reportOf } from '../src/features/files/report.ts'
import { atOnce } from '../src/model/transcripts/steps.ts'
import { FILE_FORMS, FORMATS } from '../src/model/files/catalogue.ts'
import { segmentsOfStored } from '../src/model/transcripts/transcript-body.ts'
import { storeTranscript } from '../src/model/files/transcript-forms.ts'
import { writeForm } from '../src/model/files/write-form.ts'
import type { BenchOptions } from './bench.ts'
import { talkTranscripts } from './captions.ts'

export type FilesResult = {
  videos: number
  storeMsPerTranscript: number
  zipBytes: number
  cpuMs: { ours: number; yazl: number; archiver: number }
  timesLessCpu: { thanYazl: number; thanArchiver: number }
}

/** The least of this many rounds counts, since others use the machine too. */
const REPEATS = 5

/** `bodies` has the stored bodies by index, as a store has them. */
type Library = { rows: DeliveredRow[]; bodies: Map<number, Buffer> }

/** Runs every measurement in this process, prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<FilesResult> {
  const videos = smoke ? 40 : 500
  const { library, storeMsPerTranscript } = await makeLibrary(videos)

  const repeats = smoke ? 1 : REPEATS
  const zipBytes = (await zipByUs(library)).sizeBytes
  const ours = await best(repeats, async () => (await zipByUs(library)).cpuMs)
  const byYazl = await best(repeats, () => zipByYazl(library))
  const byArchiver = await best(repeats, () => zipByArchiver(library))

  const result: FilesResult = {
    videos,
    storeMsPerTranscript,
    zipBytes,
    cpuMs: { ours, yazl: byYazl, archiver: byArchiver },
    timesLessCpu: { thanYazl: byYazl / ours, thanArchiver: byArchiver / ours },
  }
  print(result)
  return result
}

async function makeLibrary(
  videos: number,
): Promise<{ library: Library; storeMsPerTranscript: number }> {
  const library: Library = { rows: [], bodies: new Map() }
  const transcripts = talkTranscripts(videos)
  const started = cpuMs()
  for (const [at, transcript] of transcripts.entries()) {
    const index = at + 1
    const { body, recorded } = await storeTranscript(transcript, FORMATS)
    library.rows.push({
      index,
      videoId: `video${index}`,
      title: `Video number ${index}`,
      url: `https://videos.example/watch?v=video${index}`,
      channelName: 'A channel',
      publishedAt: '2026-01-02T03:04:05Z',
      languageCode: 'en',
      trackKind: 'asr',
      forms: Object.fromEntries(recorded.map(({ form, ...facts }) => [form, facts])),
    })
    library.bodies.set(index, body)
  }
  return { library, storeMsPerTranscript: (cpuMs() - started) / videos }
}

/** Returns the files that the peers are given. */
async function contentsOf({ bodies }: Library): Promise<{ name: string; content: Buffer }[]> {
  const files = []
  for (const [index, body] of bodies) {
    const segments = segmentsOfStored(body)
    for (const form of FILE_FORMS)
      files.push({ name: `${index}.${form}`, content: writeForm(segments, form) })
  }
  const texts = files.filter(({ name }) => name.endsWith('.txt')).map(({ content }) => content)
  return [...files, { name: 'all-transcripts.txt', content: Buffer.concat(texts) }]
}

/** Returns a reader of forms that works as read-transcripts.ts does, without the database. */
function readerOf({ bodies }: Library): ReadForms {
  const nameOf = ({ index, form }: FormKey): string => `${index} ${form}`
  return async (keys) => {
    await nextTurn() // a store answers later, never at once
    const made = new Map<string, Buffer>()
    for (const [index, ofRow] of Map.groupBy(keys, (key) => key.index)) {
      const body = bodies.get(index)
      if (body === undefined) throw new Error(`no row ${index}`)
      const segments = segmentsOfStored(body)
      for (const key of ofRow) made.set(nameOf(key), writeForm(segments, key.form))
    }
    return (key) => made.get(nameOf(key)) ?? Buffer.alloc(0)
  }
}

async function zipByUs(library: Library): Promise<{ cpuMs: number; sizeBytes: number }> {
  const { rows } = library
  const cpuBefore = cpuMs()
  const report = await reportOf(
    async ({ after, limit }) => {
      const page = rows.slice(after, after + limit)
      return page.map((row) => ({
        ...row,
        status: 'success',
        label: 'Delivered',
        errorMessage: null,
        chargedUsd: '0.008',
      }))
    },
    { bom: false },
  )
  const order = {
    rows,
    forms: FILE_FORMS,
    naming: 'index',
    report,
    read: readerOf(library),
  } as const
  const archive = atOnce(archiveSteps(order))
  await pipeline(Readable.from(streamBody(archive)), countingSink())
  return { cpuMs: cpuMs() - cpuBefore, sizeBytes: archive.sizeBytes }
}

async function zipByYazl(library: Library): Promise<number> {
  const before = cpuMs()
  const zip = new yazl.ZipFile()
  for (const { name, content } of await contentsOf(library))
    zip.addBuffer(content, name, { compress: false })
  zip.end()
  await pipeline(zip.outputStream, countingSink())
  return cpuMs() - before
}

async function zipByArchiver(library: Library): Promise<number> {
  const before = cpuMs()
  const zip = new ZipArchive({ zlib: { level: 0 } })
  const sent = pipeline(zip, countingSink())
  for (const { name, content } of await contentsOf(library)) zip.append(content, { name })
  await zip.finalize()
  await sent
  return cpuMs() - before
}

function countingSink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

async function best(repeats: number, measure: () => Promise<number>): Promise<number> {
  const seen: number[] = []
  for (let count = 0; count < repeats; count++) seen.push(await measure())
  return Math.min(...seen)
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function print(result: FilesResult): void {
  const { cpuMs: cpu, timesLessCpu } = result
  const lines = [
    `files: ${result.videos} videos x 4 formats, ZIP of ${(result.zipBytes / 1e6).toFixed(1)} MB`,
    `  ZIP, CPU          ours ${cpu.ours.toFixed(0)} ms, yazl ${cpu.yazl.toFixed(0)} ms, archiver ${cpu.archiver.toFixed(0)} ms`,
    `  times less CPU    ${timesLessCpu.thanYazl.toFixed(1)} than yazl, ${timesLessCpu.thanArchiver.toFixed(1)} than archiver`,
    `  forms             ${result.storeMsPerTranscript.toFixed(2)} ms CPU to write and pack a transcript`,
  ]
  console.log(lines.join('\n'))
}
