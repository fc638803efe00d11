/** The ZIP of a job, read by programs of other authors, and byte for byte the same for ever. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Archive, archiveSteps } from '../../src/features/files/archive.ts'
import { atOnce } from '../../src/model/transcripts/steps.ts'
import {
  type FileBody,
  type ByteRange,
  CHUNK_PIECES_MAX,
  streamBody,
} from '../../src/kit/file-body.ts'
import type { Naming } from '../../src/model/files/file-names.ts'
import { factsOf } from '../../src/features/transcripts/read-transcripts.ts'
import { reportOf } from '../../src/features/files/report.ts'
import type { FileForm } from '../../src/model/files/catalogue.ts'
import { FILE_FORMS, madeUpJob, type MadeUpJob } from './made-up-job.ts'
import { needs } from '../support/needs.ts'

const DELIVERED = 70
/** Program that prints what Python's own reader finds: a line per entry, then the first damaged file (None). */
const PYTHON = `
import sys, json, zipfile, hashlib
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps([[i.filename, i.file_size, i.compress_type, list(i.date_time), i.flag_bits,
  hashlib.sha256(z.read(i)).hexdigest()] for i in z.infolist()]))
print(z.testzip())
`
type PythonEntry = [
  name: string,
  size: number,
  method: number,
  time: number[],
  flags: number,
  sha256: string,
]

let job: MadeUpJob
let folder: string

before(async () => {
  job = await madeUpJob(DELIVERED)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'scriptorium-files-'))
})
after(() => fs.rmSync(folder, { recursive: true }))

async function archive(
  options: { rows?: number; forms?: readonly FileForm[]; naming?: Naming } = {},
): Promise<Archive> {
  const { rows = DELIVERED, forms = FILE_FORMS, naming = 'index' } = options
  const report = await reportOf(job.readReportRows, { bom: false })
  const order = { forms, naming, report, read: job.readForms }
  return atOnce(archiveSteps({ rows: job.rows.slice(0, rows), ...order }))
}

async function read(body: FileBody, range?: ByteRange): Promise<Buffer> {
  return buffer(streamBody(body, range))
}

async function saved(zip: Archive): Promise<string> {
  const file = path.join(folder, `${zip.sha256}.zip`)
  fs.writeFileSync(file, await read(zip))
  return file
}

function readByPython(file: string): PythonEntry[] {
  const [entries = '', wrong] = execFileSync('python3', ['-c', PYTHON, file], {
    encoding: 'utf8',
  }).split('\n')
  assert.equal(wrong, 'None')
  return JSON.parse(entries) as PythonEntry[]
}

for (const naming of ['index', 'title'] as const) {
  test(`unzip finds no fault in a ZIP named by ${naming}`, needs('unzip'), async () => {
    const { status, stdout } = spawnSync('unzip', ['-t', await saved(await archive({ naming }))], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout)
    assert.match(stdout, /No errors detected/)
  })

  test(`Python reads every file of a ZIP named by ${naming}`, needs('python3'), async () => {
    const entries = readByPython(await saved(await archive({ naming })))
    const names = entries.map(([name]) => name)
    assert.equal(entries.length, DELIVERED * 4 + 2)
    assert.deepEqual(names, [...names].sort())
    assert.deepEqual(names.slice(-2), ['all-transcripts.txt', 'report.csv'])
    const hashes = new Map(entries.map(([name, , , , , sha256]) => [name, sha256]))
    for (const { index, forms } of job.rows) {
      for (const form of FILE_FORMS) {
        const name = names.find(
          (known) => Number.parseInt(known, 10) === index && known.endsWith(`.${form}`),
        )
        assert.equal(hashes.get(name ?? ''), forms[form]?.sha256)
      }
    }
    for (const [, , method, time, flags] of entries) {
      assert.deepEqual(
        time,
        [2026, 1, 2, 3, 4, 4],
        'the day of the videos, as the platform wrote it',
      )
      assert.equal(flags, 0x800)
      assert.equal(method, 0)
    }
  })
}

test(
  'a job that delivered nothing has a valid ZIP with its two files',
  needs('python3'),
  async () => {
    const entries = readByPython(await saved(await archive({ rows: 0 })))
    assert.deepEqual(
      entries.map(([name, size]) => [name, size > 0]),
      [
        ['all-transcripts.txt', false],
        ['report.csv', true],
      ],
    )
  },
)

test('a ZIP holds the requested formats and nothing else', needs('python3'), async () => {
  const entries = readByPython(await saved(await archive({ rows: 2, forms: ['json', 'vtt'] })))
  const names = entries.map(([name]) => name)
  assert.deepEqual(names, [
    '1.json',
    '1.vtt',
    '3.json',
    '3.vtt',
    'all-transcripts.txt',
    'report.csv',
  ])
})

test('the length is known before anything is read, and any range without what is before it', async () => {
  job.asked.length = 0
  const zip = await archive()
  assert.equal(job.asked.length, 0)
  const whole = await read(zip)
  assert.equal(whole.length, zip.sizeBytes)

  const offset = fc.nat(whole.length - 1)
  await fc.assert(
    fc.asyncProperty(offset, fc.nat(5_000), async (firstByte, more) => {
      job.asked.length = 0
      const lastByte = Math.min(firstByte + more, whole.length - 1)
      const bytes = await read(zip, { firstByte, lastByte })
      assert(bytes.equals(whole.subarray(firstByte, lastByte + 1)))
      assert(job.asked.length <= 2, 'a small range asks for its own rows')
      for (const keys of job.asked)
        assert(new Set(keys.map(({ index }) => index)).size <= CHUNK_PIECES_MAX)
    }),
    { numRuns: 60 },
  )
})

test('the same job gives the same bytes in another process', async () => {
  const program = `
    import { createHash } from 'node:crypto'
    import { archiveSteps } from './src/features/files/archive.ts'
    import { atOnce } from './src/model/transcripts/steps.ts'
    import { streamBody } from './src/kit/file-body.ts'
import { reportOf } from './src/features/files/report.ts'
    import { FILE_FORMS, madeUpJob } from './test/files/made-up-job.ts'
    const { rows, readForms, readReportRows } = await madeUpJob(${DELIVERED})
    const report = await reportOf(readReportRows, { bom: false })
    const zip = atOnce(archiveSteps({ rows, forms: FILE_FORMS, naming: 'index', report, read: readForms }))
    const hash = createHash('sha256')
    for await (const bytes of streamBody(zip)) hash.update(bytes)
    process.stdout.write(hash.digest('hex') + ' ' + zip.sha256)`
  const cwd = path.join(import.meta.dirname, '..', '..')
  const there = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    encoding: 'utf8',
  })
  const here = await archive()
  const bytes = createHash('sha256')
    .update(await read(here))
    .digest('hex')
  assert.equal(there, `${bytes} ${here.sha256}`)
})

test('the hash of a ZIP changes with its names, its formats and its contents', async () => {
  const zips = await Promise.all([
    archive(),
    archive({ naming: 'title' }),
    archive({ forms: ['txt'] }),
    archive({ rows: DELIVERED - 1 }),
  ])
  assert.equal(new Set(zips.map(({ sha256 }) => sha256)).size, zips.length)
  assert.equal((await archive()).sha256, zips[0]?.sha256)

  const [first, ...others] = job.rows
  const report = await reportOf(job.readReportRows, { bom: false })
  const json = { ...first!.forms.json!, sha256: 'f'.repeat(64) } // as of other segments of the same size
  const rows = [{ ...first!, forms: { ...first!.forms, json } }, ...others]
  const order = {
    rows,
    forms: FILE_FORMS,
    naming: 'index',
    report,
    read: job.readForms,
  } as const
  assert.notEqual(atOnce(archiveSteps(order)).sha256, zips[0]?.sha256)
})

test('all-transcripts.txt in the ZIP is the all.txt that is served', needs('python3'), async () => {
  const { allTextSteps } = await import('../../src/features/files/all-text.ts')
  const allText = await read(atOnce(allTextSteps(job.rows, job.readForms)))
  const [entry] = readByPython(await saved(await archive())).slice(-2)
  assert.equal(entry?.[5], createHash('sha256').update(allText).digest('hex'))
  const key = { index: 1, form: 'txt', facts: factsOf(job.rows[0]!, 'txt') } as const
  const first = (await job.readForms([key]))(key)
  assert(allText.includes(first))
})
