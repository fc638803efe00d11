/**
 * Every way that ends in a charge beside every other one and beside itself, and every end of a job beside every other:
 * no text is bought twice, and nothing else is charged than what was delivered (decision 0008).
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Channel } from '../../emulator/model.ts'
import { verifyLedger } from '../../src/features/money/verify-ledger.ts'
import { openDatabase, type Db } from '../../src/store/database.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { testService } from '../support/service.ts'
import { TEST_DEADLINES } from '../support/settings.ts'
import { until } from '../support/until.ts'
import {
  accountsOf,
  faultsOf,
  hold,
  letRecordTogether,
  type Meeting,
  untilOver,
  waitingFor,
} from './meetings.ts'
import { type End, ENDS, type Ending, type Way, WAYS } from './ways-to-a-charge.ts'

/** Meetings at the same time: each holds two connections or three while it records. */
const AT_ONCE = 12

const env = {
  DATABASE_POOL: '80',
  WORKER_JOBS: '100',
  WORKER_VIDEOS: '100',
  MAX_ACTIVE_JOBS: '1000',
}
const service = await testService({ after }, { env })
const { database, platform } = service
const { world } = platform
const channel = world.channel('medium')
const other = world.channel('small')
const [newest, ...later] = uploadsOf(world, channel)
assert.equal(newest?.status, 'success')
const wanted = newest!.videoId
const delivered = later.flatMap(({ status, videoId }) => (status === 'success' ? [videoId] : []))

const byHandle = ({ handle }: Channel): string => handle ?? ''
const SPELLINGS = [`https://youtu.be/${wanted}`, `https://www.youtube.com/watch?v=${wanted}`]
const LISTS = [byHandle(channel), `https://www.youtube.com/channel/${channel.channelId}`]

/** Returns each unordered pair, and each with itself. */
function pairsOf<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, at) => all.slice(at).map((two): [T, T] => [one, two]))
}

/** Two ways want one text by lines of their own; `get_transcript` has but one spelling. */
function meetsByText([one, two]: [Way, Way]): Meeting {
  const urls = ({ takes, earlier }: Way, place: 0 | 1): string[] => {
    if (takes === 'id') return [wanted]
    const spelled = (takes === 'list' ? LISTS : SPELLINGS)[place] ?? ''
    return earlier === 'one is delivered' ? [delivered[place] ?? '', spelled] : [spelled]
  }
  const parties = [
    { ...one, urls: urls(one, 0) },
    { ...two, urls: urls(two, 1) },
  ] as const
  return { name: `${one.name} × ${two.name}`, parties }
}

/** Two ways order the same lines; none where one takes a list, or lines known before, and the other an id alone. */
function meetsByLines(pair: [Way, Way]): Meeting[] {
  const isOfId = pair.some(({ takes }) => takes === 'id')
  const wantsMore = pair.some(
    ({ takes, earlier }) => takes === 'list' || earlier === 'one is delivered',
  )
  if (isOfId && wantsMore) return []
  const isRefused = pair.some(({ earlier }) => earlier === 'one has no text')
  const urls = isOfId ? [wanted] : [byHandle(isRefused ? channel : other)]
  const [one, two] = pair
  const parties = [
    { ...one, urls },
    { ...two, urls },
  ] as const
  return [{ name: `the same lines: ${one.name} × ${two.name}`, parties }]
}

async function meet(meetings: Meeting[], wantedOfAll: string | null): Promise<void> {
  const faults: string[] = []
  for (let at = 0; at < meetings.length; at += AT_ONCE) {
    const met = await hold(service, meetings.slice(at, at + AT_ONCE), [wanted])
    for (const one of met) faults.push(...(await faultsOf(service, one, wantedOfAll)))
  }
  assert.deepEqual(faults, [])
}

async function checkLedger(): Promise<void> {
  const { differences, listed } = await verifyLedger(database.db)
  assert.equal(differences, 0, JSON.stringify(listed))
}

test('two ways that want one text by lines of their own buy it once, and one of them does', async () => {
  await meet(pairsOf(WAYS).map(meetsByText), wanted)
  await checkLedger()
})

test('two ways that order the same lines never pay for a text twice, with the wish or without', async () => {
  await meet(pairsOf(WAYS).flatMap(meetsByLines), null)
  await checkLedger()
})

/** Words of the statements that an end waits with: for the balance, for the job, or for the account of its batch. */
const ENDING = ['posted_micros as', 'select id, account_id as "accountId"', 'from account where id']

type EndMeeting = { ends: [End, End]; isEndFirst: boolean }

/** Orders a text in a way that both ends can end. */
async function openEnding({ ends }: EndMeeting, db: Db): Promise<Ending> {
  const customer = await service.customer('1')
  const body = { urls: [wanted], maxVideos: 1 }
  const isOfBatch = ends.some((end) => end.isOfBatch)
  const known = { customer, address: service.address, db }
  const { body: made } = await customer.asks('POST', isOfBatch ? '/batches' : '/jobs', { body })
  if (!isOfBatch) return { ...known, jobId: made['id'], batchId: null }
  let jobId = ''
  await until('the batch has its job', async () => {
    jobId = (await customer.gets('/jobs'))['jobs'][0]?.id ?? ''
    return jobId !== ''
  })
  return { ...known, jobId, batchId: made['id'] }
}

test('two ends of a job whose text comes at that moment settle it once, with the text or without', async (t) => {
  const meetings = pairsOf(ENDS).flatMap((ends) =>
    [true, false].map((isEndFirst) => ({ ends, isEndFirst })),
  )
  const connectionsMax = meetings.length // both ends of half of them at a time
  const { url } = database
  const deadlines = TEST_DEADLINES
  const operators = openDatabase({ url, connectionsMax, name: 'operators', deadlines })
  t.after(() => operators.close())
  for (const isEndFirst of [true, false]) {
    platform.apply({ faults: [{ do: 'hold', on: 'timedtext' }] })
    const some = meetings.filter((meeting) => meeting.isEndFirst === isEndFirst)
    const endings = await Promise.all(some.map((one) => openEnding(one, operators.db)))
    const ended: Promise<unknown>[] = []
    const end = async (): Promise<void> => {
      for (const [at, ending] of endings.entries())
        ended.push(...some[at]!.ends.map((one) => one.begins(ending)))
      await until('both ends of each job wait', async () => {
        return (await waitingFor(database.pool, ENDING)) >= endings.length * 2
      })
    }
    const moment = isEndFirst ? { before: end } : { meanwhile: end }
    await letRecordTogether(service, accountsOf(endings), { jobs: endings.length, ...moment })
    await Promise.all(ended)
    await untilOver(service, accountsOf(endings))
    const { rows } = await database.pool.query<{ id: string }>(
      `select id from job j where account_id = any($1) and (charged_micros is distinct from 8000 * (
          select count(*) from video_row where job_id = j.id and status = 'success')
        or (select count(*) from ledger_entry where job_id = j.id and kind in ('charge', 'release')) <> 1)`,
      [accountsOf(endings)],
    )
    const wrong = new Set(rows.map(({ id }) => id))
    const faults = endings.flatMap(({ jobId }, at) =>
      wrong.has(jobId) ? [some[at]?.ends.map(({ name }) => name).join(' × ')] : [],
    )
    assert.deepEqual(faults, [])
  }
  await checkLedger()
})
