/**
 * What the files of a job cost: the ZIP of 500 videos in four formats against yazl and archiver on the
 * same bytes, and making the forms of one transcript.
 */
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ZipArchive } from 'archiver'
import yazl from 'yazl'
import { archiveOf } from '../src/features/transcripts/archive.ts'
import { streamBody } from '../src/kit/file-body.ts'
import type { DeliveredRow, MemberKey, RowReaders } from '../src/model/transcripts/job-rows.ts'
import { reportOf } from '../src/features/transcripts/report.ts'
import { FILE_FORMS, type FileForm, FORMATS } from '../src/model/transcripts/formats.ts'
import type { Lines } from '../src/model/transcripts/lines.ts'
import { formContent, recordedMember } from '../src/model/transcripts/packed-forms.ts'
import { unpackBody } from '../src/model/transcripts/transcript-body.ts'
import { storedBody } from '../src/model/transcripts/transcript-forms.ts'
import type { BenchOptions } from './bench.ts'
import { talkTranscripts } from './captions.ts'

export type FilesResult = {
  videos: number
  storeMsPerTranscript: number
  zipBytes: number
  cpuMs: { ours: number; yazl: number; archiver: number }
  timesLessCpu: { thanYazl: number; thanArchiver: number }
}

/** The level at which all archives are about as small. */
const LEVEL = 4
/** The least of so many is taken: others use the machine too. */
const REPEATS = 5

/** The bodies by index, as a store has them. */
type Library = { rows: DeliveredRow[]; bodies: Map<number, Buffer> }

/** Runs every measurement in this process, prints a table and returns its numbers. */
export async function run({ smoke }: BenchOptions): Promise<FilesResult> {
  const videos = smoke ? 40 : 500
  const { library, storeMsPerTranscript } = await makeLibrary(videos)
  const files = await contentsOf(library)

  const repeats = smoke ? 1 : REPEATS
  const zipBytes = (await zipByUs(library)).sizeBytes
  const ours = await best(repeats, async () => (await zipByUs(library)).cpuMs)
  const byYazl = await best(repeats, () => zipByYazl(files))
  const byArchiver = await best(repeats, () => zipByArchiver(files))

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
    const { body, recorded } = await storedBody(transcript, FORMATS)
    library.rows.push({
      index,
      videoId: `video${index}`,
      title: `Video number ${index}`,
      url: `https://videos.example/watch?v=video${index}`,
      channelName: 'A channel',
      publishedAt: '2026-01-02T03:04:05Z',
      languageCode: 'en',
      trackKind: 'asr',
      members: Object.fromEntries(recorded.map(({ form, ...facts }) => [form, facts])),
    })
    library.bodies.set(index, body)
  }
  return { library, storeMsPerTranscript: (cpuMs() - started) / videos }
}

/** What the peers are given: the same contents, written beforehand. */
async function contentsOf({ bodies }: Library): Promise<{ name: string; content: Buffer }[]> {
  const files = []
  for (const [index, body] of bodies) {
    const lines = await unpackBody(body)
    for (const form of FILE_FORMS)
      files.push({ name: `${index}.${form}`, content: formContent(lines, form) })
  }
  const texts = files.filter(({ name }) => name.endsWith('.txt')).map(({ content }) => content)
  return [...files, { name: 'all-transcripts.txt', content: Buffer.concat(texts) }]
}

/** As rows are read whose words are stored once (read-forms.ts), without the database. */
function readersOf({ rows, bodies }: Library): RowReaders {
  const linesAt = async (index: number): Promise<Lines> => {
    const body = bodies.get(index)
    if (body === undefined) throw new Error(`no row ${index}`)
    return unpackBody(body)
  }
  const nameOf = ({ index, form }: MemberKey): string => `${index} ${form}`
  return {
    members: async (keys) => {
      await nextTurn() // a store answers later, never at once
      const made = new Map<string, Buffer>()
      for (const index of new Set(keys.map((key) => key.index))) {
        const lines = await linesAt(index)
        for (const key of keys.filter((one) => one.index === index)) {
          const facts = rows[index - 1]?.members[key.form as FileForm]
          if (facts === undefined) throw new Error(`no ${key.form} of ${index}`)
          made.set(nameOf(key), recordedMember(lines, { ...facts, form: key.form }).gzip)
        }
      }
      return (key) => made.get(nameOf(key)) ?? Buffer.alloc(0)
    },
    contents: async (keys) => {
      await nextTurn()
      const made = new Map<string, Buffer>()
      for (const key of keys) made.set(nameOf(key), formContent(await linesAt(key.index), key.form))
      return (key) => made.get(nameOf(key)) ?? Buffer.alloc(0)
    },
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
  const archive = archiveOf({
    rows,
    forms: FILE_FORMS,
    naming: 'index',
    report,
    readers: readersOf(library),
  })
  await pipeline(Readable.from(streamBody(archive)), countingSink())
  return { cpuMs: cpuMs() - cpuBefore, sizeBytes: archive.sizeBytes }
}

async function zipByYazl(files: { name: string; content: Buffer }[]): Promise<number> {
  const before = cpuMs()
  const zip = new yazl.ZipFile()
  for (const { name, content } of files) zip.addBuffer(content, name, { compressionLevel: LEVEL })
  zip.end()
  await pipeline(zip.outputStream, countingSink())
  return cpuMs() - before
}

async function zipByArchiver(files: { name: string; content: Buffer }[]): Promise<number> {
  const before = cpuMs()
  const zip = new ZipArchive({ zlib: { level: LEVEL } })
  const sent = pipeline(zip, countingSink())
  for (const { name, content } of files) zip.append(content, { name })
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
    `  times less CPU    ${timesLessCpu.thanYazl.toFixed(0)} than yazl, ${timesLessCpu.thanArchiver.toFixed(0)} than archiver`,
    `  forms             ${result.storeMsPerTranscript.toFixed(2)} ms CPU to render and compress a transcript`,
  ]
  console.log(lines.join('\n'))
}
