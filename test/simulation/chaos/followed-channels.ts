/**
 * Followed channels in the chaos: three accounts follow one each, whose days pass while processes die. One has money
 * for everything, one a cap that is soon reached, one a balance that soon ends. Half a day of a channel passes at once,
 * whenever its subscription has nothing to do, so that a dead process's delay does not count as days.
 */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Emulator } from '../../../emulator/server.ts'
import { asr } from '../../../emulator/track-sets.ts'
import type { VideoFacts } from '../../../emulator/model.ts'
import { createAccountWithKey } from '../../../src/features/accounts/account.ts'
import { formatUsd, PRICE_MICROS } from '../../../src/model/money/money.ts'
import { addCredit } from '../../../src/features/money/balance.ts'
import { transact } from '../../../src/kit/postgres/database.ts'
import type { Database } from '../../../src/store/database.ts'
import { createSubscription } from '../../../src/features/follow/subscriptions.ts'
import { until } from '../../support/until.ts'
import {
  checkFollowed,
  describeFollowed,
  type Followed,
  type FollowedSum,
  isAtRest,
  PAID_VIDEOS,
  type UploadKind,
} from './followed-checks.ts'
import { hearOfSubscriptions } from './subscription-receiver.ts'

export type FollowedChannels = {
  /** Lets days pass without uploads until nothing is left to happen; then checks purchases, charges and events. */
  settle(): Promise<FollowedSum>
  stop(): Promise<void>
}

const STEP_HOURS = 12
const CALM_STEP_HOURS = 24
const LOOK_MS = 150
const END_MS_MAX = 120_000
/** Uploads a step: 50 in 30 days. */
const UPLOADS_A_STEP = (50 / 30) * (STEP_HOURS / 24)
/** Least uploads: each kind has come by then, and more than cap and balance pay for. */
const UPLOADS_MIN = 9
/**
 * Most uploads, since years pass in half an hour: no more than can wait where nothing can be bought, and than one look
 * can finish before its lease seems a dead process's.
 */
const UPLOADS_MAX = 60
/** Share of looks under way that count as lost: the process slept, or another one's clock ran ahead. */
const OVERTAKEN = 0.2
/**
 * Age in seconds from which a lease counts as a dead process's; waiting for the usual five minutes would take too long.
 */
const LEASE_AGE_SECONDS_MAX = 6

const CAPTIONED: VideoFacts = { state: 'ok', tracks: [asr('en')] }
const MUTE: VideoFacts = { state: 'ok', tracks: [] }
/** Fates of uploads, used in turn; after `afterSteps` a video becomes what `afterwards` says. */
const FATES: { first: VideoFacts; afterSteps: number; afterwards: VideoFacts; kind: UploadKind }[] =
  [
    { kind: 'plain', first: CAPTIONED, afterSteps: Infinity, afterwards: {} },
    { kind: 'late', first: MUTE, afterSteps: 2, afterwards: CAPTIONED },
    { kind: 'members', first: { state: 'members_level' }, afterSteps: Infinity, afterwards: {} },
    { kind: 'plain', first: CAPTIONED, afterSteps: Infinity, afterwards: {} },
    {
      kind: 'premiere',
      first: { state: 'upcoming_premiere', tracks: [] },
      afterSteps: 3,
      afterwards: CAPTIONED,
    },
    {
      kind: 'deleted',
      first: MUTE,
      afterSteps: 1,
      afterwards: { state: 'removed_by_uploader', isListed: false },
    },
    { kind: 'plain', first: CAPTIONED, afterSteps: Infinity, afterwards: {} },
    { kind: 'mute', first: MUTE, afterSteps: Infinity, afterwards: {} },
  ]

/** Amount in videos, as are credit and cap. */
const MUCH = 1_000
const FOLLOWERS = [
  { name: 'rich', channel: 'renamed', credit: MUCH, cap: MUCH, kept: null },
  { name: 'capped', channel: 'streams', credit: MUCH, cap: PAID_VIDEOS, kept: 'cap_reached' },
  { name: 'poor', channel: 'nolists', credit: PAID_VIDEOS, cap: MUCH, kept: 'out_of_money' },
] as const

export async function followChannels(
  database: Database,
  platform: Emulator,
  { seconds, random }: { seconds: number; random: () => number },
): Promise<FollowedChannels> {
  const receiver = await hearOfSubscriptions(database, random)
  const followed: Followed[] = []
  for (const { name, channel, credit, cap, kept } of FOLLOWERS) {
    const email = `follows-${name}@example.org`
    const micros = BigInt(credit) * PRICE_MICROS
    const { accountId } = await createAccountWithKey(database.db, { email, micros })
    const input = {
      url: platform.world.channel(channel).handle ?? '',
      monthlyCap: formatUsd(BigInt(cap) * PRICE_MICROS),
    }
    const { id } = await createSubscription(database.db, { accountId, input, max: 1 })
    await receiver.expect(accountId)
    followed.push({ name, kept, accountId, id, channel, steps: 0, uploads: [], overtaken: 0 })
  }

  const publishesUntil = performance.now() + seconds * 1_000 * 0.7
  const publishes = ({ uploads }: Followed): boolean =>
    uploads.length < UPLOADS_MIN ||
    (performance.now() < publishesUntil && uploads.length < UPLOADS_MAX)
  let isOver = false
  const living = (async () => {
    while (!isOver) {
      // A database that is away answers the next time.
      for (const one of followed)
        await live(database, platform, { one, random, isCalm: !publishes(one) }).catch(
          () => undefined,
        )
      await sleep(LOOK_MS)
    }
  })()
  const stop = async (): Promise<void> => {
    isOver = true
    await living
    await receiver.close()
  }
  return {
    stop,
    async settle() {
      const rests = (which: Followed[]) => async (): Promise<boolean> => {
        for (const one of which)
          if (publishes(one) || !(await isAtRest(database, one).catch(() => false))) return false
        return true
      }
      await orTell(
        database,
        followed,
        until('each follower has what it pays for', rests(followed), END_MS_MAX),
      )
      await receiver.settle()
      const before = await checkFollowed(database, followed, receiver.told)
      const poor = followed.find(({ kept }) => kept === 'out_of_money')
      assert.ok(poor !== undefined)
      await topsUp(database, poor)
      await orTell(
        database,
        followed,
        until('the poor one has the rest', rests([poor]), END_MS_MAX),
      )
      await receiver.settle()
      const after = await checkFollowed(database, followed, receiver.told)
      isOver = true
      return { ...after, waitedForMoney: after.bought - before.bought }
    },
  }
}

/** Says where each follower stands when the wait ends in vain. */
async function orTell(
  database: Database,
  followed: Followed[],
  wait: Promise<unknown>,
): Promise<void> {
  try {
    await wait
  } catch (cause) {
    const where = await Promise.all(followed.map((one) => describeFollowed(database, one)))
    throw new Error(where.join('\n'), { cause })
  }
}

/** Lets half a day pass where nothing is under way, mostly with an upload; a look under way may be overtaken. */
async function live(
  database: Database,
  { world }: Emulator,
  { one, random, isCalm }: { one: Followed; random: () => number; isCalm: boolean },
): Promise<void> {
  const { pool } = database
  const { rowCount } = await pool.query(
    `update subscription set leased_until = now(), next_look_at = now()
      where id = $1 and leased_until > now() and ($2 or leased_until < now() + make_interval(secs => $3))`,
    [one.id, !isCalm && random() < OVERTAKEN, 300 - LEASE_AGE_SECONDS_MAX],
  )
  one.overtaken += rowCount ?? 0
  if (!(await passTime(database, one, isCalm ? CALM_STEP_HOURS : STEP_HOURS))) return
  one.steps += 1
  for (const video of one.uploads) {
    if (video.revisedAtStep !== one.steps) continue
    const fate = FATES[video.fate]
    world.revise(video.videoId, fate?.afterwards ?? {})
  }
  if (isCalm || random() > UPLOADS_A_STEP) return
  const fate = one.uploads.length % FATES.length
  const { first = {}, afterSteps = 0, kind = 'plain' } = FATES[fate] ?? {}
  const { videoId } = world.publish(world.channel(one.channel), {
    publishedMs: Date.now(),
    ...first,
  })
  one.uploads.push({ videoId, fate, kind, revisedAtStep: one.steps + afterSteps })
}

/**
 * Lets hours pass, with a new allowance, for a subscription that has made its first look and has nothing to do. Returns
 * whether they passed.
 */
async function passTime({ pool }: Database, { id }: Followed, hours: number): Promise<boolean> {
  const earlier = (column: string): string => `${column} = ${column} - make_interval(hours => $2)`
  const instants = ['created_at', 'since', 'last_looked_at', 'next_look_at'].map(earlier).join(', ')
  const { rows } = await pool.query(
    `with idle as (
      update subscription s set ${instants},
        found_at = array(select f - make_interval(hours => $2) from unnest(found_at) as f)
      where id = $1 and known is not null and leased_until is null and next_look_at > now() and not exists (
        select from subscription_job o join job j on j.id = o.job_id
        where o.subscription_id = s.id and j.charged_micros is null)
      returning id, account_id
    ), videos as (
      update subscription_video set ${['found_at', 'due_at', 'young_until'].map(earlier).join(', ')}
      from idle where subscription_id = idle.id
    ), allowance as (
      delete from free_calls f using idle, account a
      where a.id = idle.account_id and f.account_id = coalesce(a.beneficiary, a.id)
    )
    select from idle, pg_notify('scriptorium_look', '')`,
    [id, hours],
  )
  return rows.length > 0
}

async function topsUp({ db }: Database, one: Followed): Promise<void> {
  const { accountId } = one
  const credit = { accountId, micros: 8_000_000n, reference: 'chaos:follow', reason: null }
  await transact(db, (tx) => addCredit(tx, credit))
  one.kept = null
}
