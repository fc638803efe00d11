/** Orders of one account that overlap in every way there is: none buys a text that another one delivers meanwhile. */
import assert from 'node:assert/strict'
import { checkBooks } from '../../machines/fleet.ts'
import type { ServiceProcess } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'
import type { Customer } from '../../../tools/conformance/customer.ts'
import type { Json } from '../../../tools/conformance/http.ts'
import type { Attack, Target } from '../attack.ts'

const PRICE = 0.008
const CREDIT_USD = '50'
const WAYS = 8
/** Fewer than the channel has: slots that come back are used for its next videos. */
const SLOTS_OF_LIST = 6
const WORKERS = 2
/** Deliveries between which a worker is killed. */
const KILLED_AFTER = [3, 9]

export const OVERLAPPING_ORDERS: readonly Attack[] = [
  {
    name: 'one text ordered in eight ways at once, while workers are killed',
    class: 'money races',
    isInGate: true,
    settings: { ROLES: 'api' }, // its own database, and workers that can be killed
    async run(target) {
      const { fleet } = target
      const { platform, database } = fleet
      const startWorker = (): Promise<ServiceProcess> => fleet.start({ ROLES: 'worker' })
      const workers = await Promise.all(Array.from({ length: WORKERS }, startWorker))
      const buyer = await target.customer(CREDIT_USD)
      platform.apply({ faults: [{ do: 'hold', on: 'timedtext' }] })
      await orderInEightWays(target, buyer)
      await until('all are taken up', async () => (await openOf(target, buyer)).planned === WAYS)
      platform.clear()
      for (const count of KILLED_AFTER) {
        await until(
          `${count} are delivered`,
          async () => (await soldTo(target, buyer)).length >= count,
        )
        await workers.shift()!.ends('SIGKILL')
        workers.push(await startWorker())
      }
      await until('all orders are over', async () => {
        const { jobs, batches } = await openOf(target, buyer)
        return jobs + batches === 0
      })
      const sold = await soldTo(target, buyer)
      assert.equal(new Set(sold).size, sold.length, 'a text was bought twice')
      assert.equal(
        Number(await buyer.balance()),
        Number((Number(CREDIT_USD) - sold.length * PRICE).toFixed(3)),
      )
      await checkBooks(database)
      await checkSlots(target, buyer)
      await Promise.all(workers.map((worker) => worker.ends('SIGKILL')))
      return `${sold.length} texts, each bought once`
    },
  },
]

/** Orders one video in eight ways. */
async function orderInEightWays({ fleet, address }: Target, buyer: Customer): Promise<void> {
  const { world } = fleet.platform
  const channel = world.channel('small')
  const playlist = world.playlist('seven')
  const videoId = playlist.at(0).videoId
  const accepts = async (path: string, body: Json): Promise<void> => {
    const { status, bytes } = await buyer.asks('POST', path, { body })
    assert.ok(status === 200 || status === 201, `${path}: ${bytes.toString()}`)
  }
  const lists = [
    `https://www.youtube.com/channel/${channel.channelId}`,
    `https://www.youtube.com/channel/${channel.channelId}/videos`,
    `https://www.youtube.com/playlist?list=${playlist.playlistId}`,
  ]
  for (const line of lists)
    await accepts('/jobs?owned=skip', { urls: [line], maxVideos: SLOTS_OF_LIST })
  for (const urls of [[videoId], [`https://youtu.be/${videoId}`, playlist.at(1).videoId]])
    await accepts('/jobs?owned=skip', { urls, maxVideos: 2 })
  await accepts('/batches?owned=skip', { urls: [videoId, playlist.at(2).videoId] })
  await accepts('/subscriptions', { url: channel.handle!, backlog: 20, monthlyCap: '5' })
  const order = { urls: [videoId, playlist.at(3).videoId], owned: 'skip' }
  const call = { name: 'start_job', arguments: order }
  const reply = await buyer.asks('POST', `${address}/mcp`, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    headers: { Accept: 'application/json, text/event-stream' },
  })
  assert.match(reply.bytes.toString(), /jobId/)
}

/** Returns how many jobs and batches of the account are open, and how many of the jobs have rows to be read. */
async function openOf(
  { fleet }: Target,
  { accountId }: Customer,
): Promise<{ jobs: number; planned: number; batches: number }> {
  const { rows } = await fleet.database.pool.query<{
    jobs: number
    planned: number
    batches: number
  }>(
    `select count(*)::int as jobs,
      count(*) filter (where exists (select from video_row where job_id = j.id and status is null))::int as planned,
      (select count(*)::int from batch where account_id = $1 and state = 'running') as batches
    from job j where account_id = $1 and charged_micros is null`,
    [accountId],
  )
  return rows[0]!
}

/** Checks that orders used the slots that came back, where a video was left out for want of one. */
async function checkSlots({ fleet }: Target, { accountId }: Customer): Promise<void> {
  const { rows } = await fleet.database.pool.query(
    `select j.id, j.max_videos, j.slots_used, r.read from job j cross join lateral (
      select count(*) filter (where status in ('success', 'no_captions', 'private', 'unavailable'))::int as read,
        count(*) filter (where status = 'truncated')::int as truncated
      from video_row where job_id = j.id
    ) r where j.account_id = $1 and (j.slots_used <> r.read or (r.truncated > 0 and r.read <> j.max_videos))`,
    [accountId],
  )
  assert.deepEqual(rows, [], 'slots that came back are used')
}

/** Returns the id of the video of each text that was delivered to the account. */
async function soldTo({ fleet }: Target, { accountId }: Customer): Promise<string[]> {
  const { rows } = await fleet.database.pool.query<{ video_id: string }>(
    `select r.video_id from video_row r join job j on j.id = r.job_id
     where j.account_id = $1 and r.status = 'success'`,
    [accountId],
  )
  return rows.map(({ video_id }) => video_id)
}
