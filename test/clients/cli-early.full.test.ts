/**
 * The command line brings files while their job runs: an interruption leaves them, and failed fetches are made up for.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { startFileService } from '../files/file-service.ts'
import { SEGMENTS } from '../files/recorded-videos.ts'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { until } from '../support/until.ts'
import { cliUser } from './cli-command.ts'

type Told = { files: { path: string; index: number; isNew: boolean }[] }

/** Enough videos to be worth a fetch of their own. */
const FIRST = Array.from({ length: 10 }, (_, at) => {
  return { title: `Talk ${at + 1}`, segments: SEGMENTS }
})
const LAST = { title: 'Talk 11', segments: SEGMENTS.slice(0, 1) }
const ZIP = /\/files\/zip\?(.*)$/
const LOOK = /\?wait=\d+(?:&|$)/

const service = await startFileService({ after })
let looks = 0
let zips: string[] = []
const proxy = await faultyProxy({ after }, service.url, {
  choose: ({ url = '' }) => {
    if (LOOK.test(url)) looks += 1
    const [, query] = ZIP.exec(url) ?? []
    if (query !== undefined) zips.push(query)
    return 'none'
  },
})

test('files are there while the job runs, and only the rest is fetched at its end', async () => {
  const { job, user } = await ground()
  const first = user.starts('download', job.id)
  await until('the first files are there', () => user.files('.').length === FIRST.length)
  first.child.kill('SIGKILL')
  await first.ended
  assert.deepEqual(zips, ['formats=text'])

  const second = user.starts('download', job.id, '--json')
  await until('it asks for them again', () => zips.length === 2)
  await job.records(FIRST.length + 1, LAST)
  await job.finishes()
  const { code, stdout, stderr } = await second.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(zips, ['formats=text', 'formats=text', 'after=10&formats=text'])
  const { files } = JSON.parse(stdout) as Told
  assert.deepEqual(
    files.map(({ index, isNew }) => [index, isNew]),
    [...FIRST.map((_, at) => [at + 1, false]), [11, true]],
  )
  assert.equal(user.files('transcripts').length, FIRST.length + 1)
})

test('what could not be written while the job ran is written at its end', async () => {
  const { job, user } = await ground()
  const inTheWay = path.join(user.folder, 'transcripts')
  fs.writeFileSync(inTheWay, '')
  const { ended } = user.starts('download', job.id, '--json')
  await until('it looked three times', () => looks >= 3)
  fs.rmSync(inTheWay)
  await job.finishes()
  const { code, stdout, stderr } = await ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(zips, ['formats=text'])
  const { files } = JSON.parse(stdout) as Told
  assert.equal(files.filter(({ isNew }) => isNew).length, FIRST.length)
})

test('numbered names wait for the end, which says how long the numbers are', async () => {
  const { job, user } = await ground()
  const { ended } = user.starts('download', job.id, '--names', 'index', '--json')
  await until('it looked twice', () => looks >= 2)
  await job.finishes()
  const { code, stdout } = await ended
  assert.equal(code, 0)
  assert.equal(zips.length, 1)
  const { files } = JSON.parse(stdout) as Told
  assert.match(files[0]?.path ?? '', /01\.txt$/)
})

async function ground() {
  looks = 0
  zips = []
  const customer = await service.customer()
  const job = await customer.recordsJob(FIRST, { formats: ['text', 'vtt'], isFinal: false })
  const env = { SCRIPTORIUM_URL: proxy.address, SCRIPTORIUM_API_KEY: customer.key }
  return { job, user: cliUser({ after }, env) }
}
