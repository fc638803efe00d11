/** Scenarios in which a standby becomes the primary while the old one has, or gets, other ideas. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bed } from './bed.ts'
import {
  closeBooks,
  expectNoneEnded,
  expectNothingLost,
  type HostFigures,
  repeatOrders,
} from './books.ts'
import type { BedHost } from './network.ts'

const BEHIND_MS = 8_000
const FROZEN_MS = 3_000
const MORE = 25
const AFTER_THAW = 100
const BREAK_EVERY_MS = 1_500
const REASON = 'what was lost is made good'

/** S2: what was told after the standby fell behind is gone. It has to be noticed, until a person accepts it. */
export async function loseCommits(bed: Bed): Promise<HostFigures> {
  const { pair, client, receiver } = bed
  pair.second.cut()
  const before = client.acknowledged().length
  await sleep(BEHIND_MS)
  await client.untilMore(MORE)
  bed.marks('event')
  pair.first.signals('SIGKILL')
  pair.first.cut()
  bed.say(`the primary is lost with ${client.acknowledged().length - before} acknowledged orders`)
  pair.second.mend()
  await pair.promote()
  bed.marks('promotion')
  await client.untilMore(MORE)
  expectNoneEnded(bed)
  const figures = await closeBooks(bed, pair.second)
  bed.expects(figures.lost > 0, 'nothing was lost, so that this scenario shows nothing')

  await expectNoticed(bed, pair.second)

  // A job that had ended in the lost part ends again: a receiver has to be able to tell the two.
  const told = Map.groupBy(receiver.taken, ({ event }) => String(event['data'].id))
  const twice = [...told].filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1)
  const unmarked = twice.filter(([, all]) => new Set(all.map(({ id }) => epochOf(id))).size < 2)
  bed.expects(
    unmarked.length === 0,
    `${unmarked.length} of ${twice.length} jobs that ended again are told without a new epoch`,
  )
  bed.expects(figures.missedRows === 0, `${figures.missedRows} rows were not told exactly once`)
  return figures
}

/** Expects that lost commits are named, until a person accepts the loss. */
export async function expectNoticed(bed: Bed, primary: BedHost): Promise<void> {
  const verified = await bed.services.admin('ledger', 'verify')
  const lost = verified.out.split('\n').filter((line) => line.endsWith('is lost'))
  bed.say(`ledger verify ended with ${verified.code} and ${lost.length} lines as: ${lost[0]}`)
  bed.expects(verified.code === 1, 'ledger verify does not see that acknowledged entries are gone')
  bed.expects(lost.length > 0, 'ledger verify names none of the lost entries')
  const health = await bed.services.admin('health')
  bed.say(`health: ${health.out.trim().slice(0, 400)}`)
  const incidents = await bed.pair.asks(primary, 'select kind from incident')
  bed.expects(incidents.includes('commits_lost'), `there is no incident of it: ${incidents.join()}`)
  const accepted = await bed.services.admin('failover', 'accept', '--reason', REASON)
  bed.expects(
    accepted.code === 0,
    `failover accept ended with ${accepted.code}: ${accepted.out.slice(0, 200)}`,
  )
  const again = await bed.services.admin('ledger', 'verify')
  bed.expects(
    again.code === 0,
    `ledger verify ended with ${again.code} after the loss was accepted`,
  )
}

/** Returns the epoch that a webhook-id says at its end; the first one says nothing. */
function epochOf(webhookId: string): string {
  return /-e\d+$/.exec(webhookId)?.[0] ?? ''
}

/** S3: once a standby was promoted, nothing is written to the old primary, whoever connects anew. */
export async function thawOldPrimary(bed: Bed): Promise<HostFigures> {
  const { pair, client } = bed
  bed.marks('event')
  pair.first.signals('SIGSTOP')
  await sleep(FROZEN_MS)
  await pair.promote()
  bed.marks('promotion')
  await client.untilMore(MORE)
  const thawedAtMs = performance.now()
  pair.first.signals('SIGCONT')
  // Otherwise every commit there hangs for want of a standby, and would not be seen.
  const alone = `alter system reset synchronous_standby_names;\nselect pg_reload_conf()`
  await pair.asks(pair.first, alone)
  const enough = client.acknowledged().length + AFTER_THAW
  while (client.acknowledged().length < enough) {
    await sleep(BREAK_EVERY_MS)
    // Open connections stay where they are; whatever connects anew may come to either.
    await pair
      .asks(
        pair.second,
        `select pg_terminate_backend(pid) from pg_stat_activity
        where usename = 'scriptorium' and random() < 0.5`,
      )
      .catch(() => [])
  }
  const keys = client
    .acknowledged()
    .filter(({ acknowledgedAtMs }) => (acknowledgedAtMs ?? 0) > thawedAtMs)
    .map(({ key }) => `'${key}'`)
  const [written = '?'] = await pair.asks(
    pair.first,
    `select count(*) from job where idempotency_key in (${keys.join()})`,
  )
  bed.say(`${written} of ${keys.length} orders were written to the old primary`)
  bed.expects(
    written === '0',
    `${written} of ${keys.length} orders were written to the old primary`,
  )
  await repeatOrders(bed)
  pair.first.signals('SIGKILL')
  await client.untilMore(MORE)
  expectNoneEnded(bed)
  const figures = await closeBooks(bed, pair.second)
  await expectNothingLost(bed, figures)
  return figures
}

/** S12: the primary's cable is cut without a word, and it stays a primary for itself. */
export async function isolatedHosts(bed: Bed): Promise<HostFigures> {
  const { pair, client, way } = bed
  bed.marks('event')
  pair.first.cut()
  await sleep(FROZEN_MS)
  await pair.promote()
  if (way === 'address') await bed.movesAddressTo(pair.second)
  bed.marks('promotion')
  await client.untilMore(MORE)
  expectNoneEnded(bed)
  const figures = await closeBooks(bed, pair.second)
  await expectNothingLost(bed, figures)
  return figures
}
