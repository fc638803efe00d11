/** Orders of one account that overlap: who skips what is owned buys no text twice, whoever delivers it first. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { Customer } from '../../tools/conformance/customer.ts'
import type { Json } from '../../tools/conformance/http.ts'
import { uploadsOf } from '../repeats/asking-again.ts'
import { sharedService } from '../support/shared-service.ts'
import { until } from '../support/until.ts'

const { platform, customer, database } = await sharedService({ after })
beforeEach(() => platform.clear())
const { world } = platform
const channel = world.channel('medium')
const HANDLE = channel.handle!
const CHANNEL = `https://www.youtube.com/channel/${channel.channelId}`
/** The ids of all that the channel delivers, in the order of its list. */
const all = uploadsOf(world, channel)
  .filter(({ status }) => status === 'success')
  .map(({ videoId }) => videoId)

/** Videos of one job that are read at once, by default. */
const READ_AT_ONCE = 16

/** Holds every caption until `clear`: what is ordered meanwhile is planned, and nothing of it delivered. */
const holdCaptions = (): void => platform.apply({ faults: [{ do: 'hold', on: 'timedtext' }] })

async function starts(buyer: Customer, body: Json, query = '?owned=skip'): Promise<Json> {
  const { status, body: job, bytes } = await buyer.asks('POST', `/jobs${query}`, { body })
  assert.equal(status, 201, bytes.toString())
  return job
}

/** Waits until so many of the account's rows are planned and not recorded. */
const untilOpen = ({ accountId }: Customer, rows: number): Promise<unknown> =>
  until(`${rows} rows are taken up`, async () => {
    const { rows: found } = await database.pool.query<{ open: number }>(
      `select count(*)::int as open from video_row r join job j on j.id = r.job_id
       where j.account_id = $1 and r.status is null`,
      [accountId],
    )
    return found[0]?.open === rows
  })

async function readInVain({ accountId }: Customer): Promise<number> {
  const { rows } = await database.pool.query<{ refused: number }>(
    `select coalesce(sum(f.refused), 0)::int as refused from free_calls f join account a on f.account_id = coalesce(a.beneficiary, a.id)
     where a.id = $1`,
    [accountId],
  )
  return rows[0]!.refused
}

async function ends(buyer: Customer, jobs: Json[]): Promise<{ jobs: Json[]; rows: Json[][] }> {
  const ended = []
  const rows = []
  for (const job of jobs) {
    ended.push(await buyer.waitsFor(job))
    rows.push(await buyer.readsRows(job))
  }
  return { jobs: ended, rows }
}

const idsOf = (rows: Json[], status: string): string[] =>
  rows.filter((row) => row['status'] === status).map((row) => row['videoId'])

test('one video ordered in eight ways at once is bought once', async () => {
  const buyer = await customer('10')
  const [video, ...others] = all
  holdCaptions()
  const jobs = []
  for (const other of others.slice(0, 8))
    jobs.push(await starts(buyer, { urls: [video, other], maxVideos: 2 }))
  await untilOpen(buyer, 16)
  platform.clear()
  const { jobs: ended, rows } = await ends(buyer, jobs)
  const of = rows.flat().filter(({ videoId }) => videoId === video)
  assert.deepEqual(of.map(({ status }) => status).toSorted(), [
    'success',
    ...Array<string>(7).fill('unchanged'),
  ])
  for (const { status, label, text } of of) {
    if (status !== 'unchanged') continue
    assert.match(label, /^In your library since \d{4}-\d\d-\d\d$/)
    assert.equal(text, null)
  }
  assert.equal(await buyer.balance(), (10 - 9 * 0.008).toFixed(3))
  assert.equal(await readInVain(buyer), 7, 'what was read in vain is free work of the day')
  assert.deepEqual(
    ended.map(({ state }) => state),
    Array(8).fill('finished'),
  )
})

test('an order whose videos another one delivers meanwhile goes on to the next ones, as if it had listed later', async () => {
  const buyer = await customer('10')
  holdCaptions()
  const jobs = []
  for (const line of [HANDLE, CHANNEL])
    jobs.push(await starts(buyer, { urls: [line], maxVideos: 5 }))
  await untilOpen(buyer, 10)
  platform.clear()
  const { rows } = await ends(buyer, jobs)
  const [first, second] = rows.map((some) => idsOf(some, 'success'))
  assert.deepEqual([first?.length, second?.length], [5, 5])
  assert.deepEqual([...first!, ...second!].toSorted(), all.slice(0, 10).toSorted())
  assert.equal(await buyer.balance(), (10 - 10 * 0.008).toFixed(3))
})

test('named videos: a slot that comes back goes to the next line', async () => {
  const buyer = await customer('10')
  holdCaptions()
  const jobs = [
    await starts(buyer, { urls: all.slice(0, 3) }),
    await starts(buyer, { urls: all.slice(0, 8), maxVideos: 3 }),
  ]
  await untilOpen(buyer, 6)
  platform.clear()
  const { rows } = await ends(buyer, jobs)
  const bought = rows.flatMap((some) => idsOf(some, 'success'))
  assert.equal(new Set(bought).size, bought.length, 'no text is bought twice')
  assert.equal(await buyer.balance(), (10 - bought.length * 0.008).toFixed(3))
  const later = rows[1]!
  assert.equal(later.length, 8, 'each line has its row')
  const count = (status: string): number => idsOf(later, status).length
  assert.equal(count('success'), 3, 'all slots are used')
  assert.equal(count('unchanged') + count('truncated'), 5)
})

test('a followed channel leaves to an open order what that delivers first, or the other way round', async () => {
  const buyer = await customer('10')
  holdCaptions()
  const jobs = [await starts(buyer, { urls: [CHANNEL], maxVideos: 5 })]
  const body = { url: HANDLE, backlog: 5, monthlyCap: '1' }
  const { body: followed } = await buyer.asks('POST', '/subscriptions', { body })
  await untilOpen(buyer, 10)
  platform.clear()
  const { jobs: ids } = await buyer.gets(`/subscriptions/${followed['id']}`)
  jobs.push({ id: ids[0] })
  const { rows } = await ends(buyer, jobs)
  const bought = rows.flatMap((some) => idsOf(some, 'success'))
  assert.equal(new Set(bought).size, bought.length, 'no text is bought twice')
  assert.equal(rows[0]!.filter(({ status }) => status === 'success').length, 5)
  assert.ok(idsOf(rows[1]!, 'unchanged').length + idsOf(rows[0]!, 'unchanged').length > 0)
  await buyer.asks('DELETE', `/subscriptions/${followed['id']}`)
})

test('a row that waits is looked up when it is taken up, and its video is not read in vain', async () => {
  const buyer = await customer('10')
  const ids = all.slice(0, READ_AT_ONCE + 1)
  const [last] = ids.slice(-1)
  platform.apply({ faults: [{ do: 'hold', on: 'timedtext', video: ids.slice(0, READ_AT_ONCE) }] })
  const waits = await starts(buyer, { urls: ids })
  await untilOpen(buyer, ids.length)
  const { rows: first } = await ends(buyer, [await starts(buyer, { urls: [last, all.at(-1)] })])
  assert.equal(idsOf(first.flat(), 'success').length, 2)
  platform.clear()
  const { rows } = await ends(buyer, [waits])
  assert.deepEqual(idsOf(rows.flat(), 'unchanged'), [last])
  assert.equal(await readInVain(buyer), 0)
})

test('what a cancelled order left is bought by the other one', async () => {
  const buyer = await customer('10')
  holdCaptions()
  const jobs = [
    await starts(buyer, { urls: all.slice(0, 3) }),
    await starts(buyer, { urls: all.slice(0, 4) }),
  ]
  await untilOpen(buyer, 7)
  await buyer.asks('POST', `/jobs/${jobs[0]!['id']}/cancel`)
  platform.clear()
  const {
    rows: [, second],
  } = await ends(buyer, jobs)
  assert.deepEqual(idsOf(second!, 'success').toSorted(), all.slice(0, 4).toSorted())
  assert.equal(await buyer.balance(), (10 - 4 * 0.008).toFixed(3))
})

test('an order without the wish buys what another one delivers, as before', async () => {
  const buyer = await customer('10')
  holdCaptions()
  const jobs = [
    await starts(buyer, { urls: all.slice(0, 3) }, ''),
    await starts(buyer, { urls: all.slice(0, 4) }, ''),
  ]
  await untilOpen(buyer, 7)
  platform.clear()
  await ends(buyer, jobs)
  assert.equal(await buyer.balance(), (10 - 7 * 0.008).toFixed(3))
})
