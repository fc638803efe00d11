/**
 * What the files of a job cost: the ZIP of 500 videos in four formats, written from the stored words, against
 * yazl and archiver that store the same contents, written from the same words; and making the forms of one transcript.
 */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ZipArchive } from 'archiver'
import yazl from 'yazl'
import { archiveSteps } from '../../src/features/files/archive.ts'
import { streamBody } from '../../src/kit/file-body.ts'
import type { DeliveredRow, FormKey, ReadForms } from '../../src/model/files/job-rows.ts'
import { reportOf } from '../../src/features/files/report.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'
import { FILE_FORMS, FORMATS } from '../../src/model/files/catalogue.ts'
import { segmentsOfStored } from '../../src/model/transcripts/transcript-body.ts'
import { storeTranscript } from '../../src/model/files/transcript-forms.ts'
import type { Transcript } from '../../src/model/transcripts/transcript.ts'
import { writeForm } from '../../src/model/files/write-form.ts'
import type { BenchOptions } from './bench.ts'
import { talkTranscripts } from './captions.ts'
import { cpuMsOf, leastCpuMsOf } from './stage/cpu.ts'

type FilesResult = {
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
  const transcripts = talkTranscripts(videos)
  const library: Library = { rows: [], bodies: new Map() }
  const storeMs = await cpuMsOf(async () => {
    for (const [at, transcript] of transcripts.entries()) await store(library, at + 1, transcript)
  })
  const zipBytes = await zipByUs(library)
  const repeats = smoke ? 1 : REPEATS
  const ours = await leastCpuMsOf(repeats, () => zipByUs(library))
  const byYazl = await leastCpuMsOf(repeats, () => zipByYazl(library))
  const byArchiver = await leastCpuMsOf(repeats, () => zipByArchiver(library))
  const result: FilesResult = {
    videos,
    storeMsPerTranscript: storeMs / videos,
    zipBytes,
    cpuMs: { ours, yazl: byYazl, archiver: byArchiver },
    timesLessCpu: { thanYazl: byYazl / ours, thanArchiver: byArchiver / ours },
  }
  print(result)
  return result
}

async function store(
  { rows, bodies }: Library,
  index: number,
  transcript: Transcript,
): Promise<void> {
  const { body, recorded } = await storeTranscript(transcript, FORMATS)
  rows.push({
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
  bodies.set(index, body)
}

/** Returns the files that the peers are given. */
function contentsOf({ bodies }: Library): { name: string; content: Buffer }[] {
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

/** Returns the bytes of the ZIP. */
async function zipByUs(library: Library): Promise<number> {
  const { rows } = library
  const delivered = {
    status: 'success',
    label: 'Delivered',
    errorMessage: null,
    chargedUsd: '0.008',
  } as const
  const report = await reportOf(
    async ({ after, limit }) =>
      rows.slice(after, after + limit).map((row) => ({ ...row, ...delivered })),
    { bom: false },
  )
  const read = readerOf(library)
  const archive = atOnce(archiveSteps({ rows, forms: FILE_FORMS, naming: 'index', report, read }))
  await pipeline(Readable.from(streamBody(archive)), sink())
  return archive.sizeBytes
}

async function zipByYazl(library: Library): Promise<void> {
  const zip = new yazl.ZipFile()
  for (const { name, content } of contentsOf(library))
    zip.addBuffer(content, name, { compress: false })
  zip.end()
  await pipeline(zip.outputStream, sink())
}

async function zipByArchiver(library: Library): Promise<void> {
  const zip = new ZipArchive({ zlib: { level: 0 } })
  const sent = pipeline(zip, sink())
  for (const { name, content } of contentsOf(library)) zip.append(content, { name })
  await zip.finalize()
  await sent
}

function sink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

function print(result: FilesResult): void {
  const { cpuMs, timesLessCpu } = result
  const times = Object.entries(cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
  const lines = [
    `files: ${result.videos} videos x 4 formats, ZIP of ${(result.zipBytes / 1e6).toFixed(1)} MB`,
    `  ZIP, CPU          ${times.join(', ')}`,
    `  times less CPU    ${timesLessCpu.thanYazl.toFixed(1)} than yazl, ${timesLessCpu.thanArchiver.toFixed(1)} than archiver`,
    `  forms             ${result.storeMsPerTranscript.toFixed(2)} ms CPU to write and pack a transcript`,
  ]
  console.log(lines.join('\n'))
}
