/** The books after a scenario: what the client was told, against what the service answers in the end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../../../tools/conformance/http.ts'
import { until } from '../../support/until.ts'
import type { Bed } from './bed.ts'
import type { BedHost } from './network.ts'
import { SERVICE_NAMES, type ServiceName } from './services.ts'

export type HostFigures = {
  acknowledged: number
  /** Acknowledged orders that the service does not know. */
  lost: number
  /** Keys with two jobs, and jobs that ended under two webhook-ids. */
  doubled: number
  /** Rows of large jobs that were never told, or told twice. */
  missedRows: number
  refusals: number
}

const END_MS_MAX = 240_000
const PAGE = 50
/** Ids of events that one epoch has, as the reference of the API says. */
const IDS_OF_EPOCH = 1_000_000_000

/** Stops ordering, waits until every job is final, and reads what became of all that was acknowledged. */
export async function closeBooks(bed: Bed, primary: BedHost): Promise<HostFigures> {
  const { client, pair } = bed
  await client.stopsOrdering()
  await until(
    'every job is final',
    async () => {
      await sleep(500)
      const sql = 'select count(*) from job where charged_micros is null'
      return (await pair.asks(primary, sql))[0] === '0'
    },
    END_MS_MAX,
  )
  await untilTold(bed, primary)
  const jobs = await listJobs(bed)
  const acknowledged = client.acknowledged()
  const lost = acknowledged.filter(({ jobIds }) => ![...jobIds].some((id) => jobs.has(id)))
  const doubled = acknowledged.filter(({ jobIds }) => jobIds.size > 1)
  const told = Map.groupBy(bed.receiver.taken, ({ event }) => String(event['data'].id))
  const twice = [...told.values()].filter((all) => new Set(all.map(({ id }) => id)).size > 1)
  return {
    acknowledged: acknowledged.length,
    lost: lost.length,
    doubled: doubled.length + twice.length,
    missedRows: await countMissed(bed),
    refusals: client.refusals.length,
  }
}

/** Asks for every acknowledged order once more under its key: the job must be the same. */
export async function repeatOrders({ client }: Bed): Promise<void> {
  for (const order of client.acknowledged().slice(-REPEATS_MAX)) {
    const answer = await client.asks('POST', '/jobs', order.body, order.key).catch(() => null)
    if (answer?.status === 200 || answer?.status === 201) order.jobIds.add(answer.body['id'])
  }
}
const REPEATS_MAX = 100

/** Waits until each job's webhook has come; due attempts need not wait for their hour. */
async function untilTold({ pair }: Bed, primary: BedHost): Promise<void> {
  await until(
    'every webhook has come',
    async () => {
      await sleep(300)
      const [open] = await pair.asks(
        primary,
        `with due as (update webhook_delivery set due_at = now()
           where state = 'pending' and leased_until is null and due_at > now() returning 1)
         select count(*) from webhook_delivery where state = 'pending'`,
      )
      return open === '0'
    },
    END_MS_MAX,
  )
}

async function listJobs({ client }: Bed): Promise<Map<string, Json>> {
  const seen = new Map<string, Json>()
  for (let offset: number | null = 0; offset !== null;) {
    const { status, body } = await client.asks('GET', `/jobs?limit=${PAGE}&offset=${offset}`)
    if (status !== 200) throw new Error(`the jobs cannot be listed: ${status}`)
    for (const job of body['jobs']) seen.set(job.id, job)
    offset = body['nextOffset']
  }
  return seen
}

/** Counts the rows of large jobs that were not told exactly once. */
async function countMissed({ client }: Bed): Promise<number> {
  let missed = 0
  for (const one of client.followed) {
    await until('a large job was told to its end', () => one.over !== null, END_MS_MAX)
    const rows: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const path = `/jobs/${one.jobId}/results?limit=200&offset=${offset}`
      const { status, body } = await client.asks('GET', path)
      if (status !== 200) break
      rows.push(...body['videos'].map((row: Json) => row['videoId']))
      offset = body['nextOffset']
    }
    // After a failover that lost rows, a follower begins again: ids of the new epoch lie above all others.
    const epoch = epochOf(one.rows.at(-1)?.id)
    const lastTold = one.rows.filter(({ id }) => epochOf(id) === epoch)
    const told = Map.groupBy(lastTold, ({ videoId }) => videoId)
    missed += rows.filter((videoId) => told.get(videoId)?.length !== 1).length
    missed += [...told.keys()].filter((videoId) => !rows.includes(videoId)).length
  }
  return missed
}

function epochOf(eventId = '0'): number {
  return Math.floor(Number(eventId) / IDS_OF_EPOCH)
}

/** Expects what every scenario promises where no commit may be lost. */
export async function expectNothingLost(bed: Bed, figures: HostFigures): Promise<void> {
  const { lost, doubled, missedRows } = figures
  bed.expects(lost === 0, `${lost} acknowledged orders are lost`)
  bed.expects(doubled === 0, `${doubled} orders or webhooks are doubled`)
  bed.expects(missedRows === 0, `${missedRows} rows were not told exactly once`)
  bed.expects(bed.receiver.forged === 0, `${bed.receiver.forged} webhooks were wrongly signed`)
  const { code, out } = await bed.services.admin('ledger', 'verify')
  bed.expects(code === 0, `ledger verify ended with ${code}: ${out.slice(-300)}`)
}

/** Expects that no process ended but those that the scenario ended itself. */
export function expectNoneEnded(bed: Bed): void {
  const ended = SERVICE_NAMES.filter((name: ServiceName) => !bed.services.running[name].isAlive())
  bed.expects(ended.length === 0, `${ended.join(', ')} ended`)
}
