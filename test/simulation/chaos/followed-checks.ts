/**
 * What must hold for followed channels after the chaos: each new video with captions was bought once, or kept back by
 * cap or balance.
 */
import assert from 'node:assert/strict'
import type { Database } from '../../../src/store/database.ts'
import type { SubscriptionState } from '../../../src/model/follow/subscription.ts'
import type { ToldEvents } from './subscription-receiver.ts'

export type UploadKind = 'plain' | 'late' | 'members' | 'premiere' | 'deleted' | 'mute'

export type ChaosUpload = { videoId: string; fate: number; kind: UploadKind; revisedAtStep: number }

export type Followed = {
  name: string
  /** State in which the subscription ends for want of money; null where there is enough. */
  kept: 'cap_reached' | 'out_of_money' | null
  accountId: string
  id: string
  channel: string
  /** Steps of half a day, or of a day, that have passed. */
  steps: number
  uploads: ChaosUpload[]
  /** Number of looks that were taken from the process that made them. */
  overtaken: number
}

/** Counts of situations, each of which the chaos has to reach. */
export type FollowedSum = Record<
  | 'uploads'
  | 'bought'
  | 'lateCaptions'
  | 'premieres'
  | 'neverBought'
  | 'keptByCap'
  | 'waitedForMoney'
  | 'overtakenLooks'
  | 'subscriptionEvents',
  number
>

/** Videos that a short cap or balance pays for. */
export const PAID_VIDEOS = 4
const BOUGHT: ReadonlySet<UploadKind> = new Set(['plain', 'late', 'premiere'])

type Situation = {
  state: SubscriptionState
  isBusy: boolean
  waiting: string[]
  delivered: string[]
  /** Videos that a job has had, whatever became of them, in the order in which each first had one. */
  ordered: string[]
  mails: number
  spentMicros: bigint
}

/** Returns whether everything was bought that the money pays for, and nothing more is to come. */
export async function isAtRest(database: Database, one: Followed): Promise<boolean> {
  const { state, isBusy, waiting, delivered } = await situationOf(database, one)
  const wanted = wantedOf(one)
  if (isBusy || one.uploads.some(({ revisedAtStep }) => isAhead(revisedAtStep, one))) return false
  if (state !== stateOf(one)) return false
  if (one.kept === null) return !isAwaited(wanted, waiting) && delivered.length === wanted.length
  return one.kept === 'out_of_money' || isComplete(wanted, delivered, waiting)
}

const stateOf = ({ kept }: Followed): SubscriptionState => kept ?? 'active'

/** Describes the subscription, to explain why it never came to rest. */
export async function describeFollowed(database: Database, one: Followed): Promise<string> {
  const { spentMicros, ...found } = await situationOf(database, one)
  return JSON.stringify({ ...one, ...found, spentMicros: String(spentMicros) })
}

/** Returns whether a change of a video is still to come. */
const isAhead = (step: number, { steps }: Followed): boolean => step !== Infinity && step > steps

const wantedOf = ({ uploads }: Followed): string[] =>
  uploads.filter(({ kind }) => BOUGHT.has(kind)).map(({ videoId }) => videoId)

/** Whether one of the wanted videos is still awaited; others may be for a month. */
const isAwaited = (wanted: string[], waiting: string[]): boolean =>
  wanted.some((id) => waiting.includes(id))

const isComplete = (wanted: string[], delivered: string[], waiting: string[]): boolean =>
  wanted.every((id) => delivered.includes(id) || waiting.includes(id))

export async function checkFollowed(
  database: Database,
  followed: Followed[],
  told: ToldEvents,
): Promise<FollowedSum> {
  const sum: FollowedSum = {
    uploads: 0,
    bought: 0,
    lateCaptions: 0,
    premieres: 0,
    neverBought: 0,
    keptByCap: 0,
    waitedForMoney: 0,
    overtakenLooks: 0,
    subscriptionEvents: 0,
  }
  for (const one of followed) {
    const found = await situationOf(database, one)
    check(one, found)
    const events = told.get(one.id) ?? new Map<string, number>()
    checkEvents(one, found, events)
    const bought = one.uploads.filter(({ videoId }) => found.delivered.includes(videoId))
    const isOf = (kind: UploadKind) => bought.filter((video) => video.kind === kind).length
    sum.uploads += one.uploads.length
    sum.bought += bought.length
    sum.lateCaptions += isOf('late')
    sum.premieres += isOf('premiere')
    sum.neverBought += one.uploads.filter(({ kind }) => !BOUGHT.has(kind)).length
    if (one.kept === 'cap_reached') sum.keptByCap += wantedOf(one).length - bought.length
    sum.overtakenLooks += one.overtaken
    sum.subscriptionEvents += [...events.values()].reduce((all, count) => all + count, 0)
  }
  return sum
}

function check(one: Followed, found: Situation): void {
  const { delivered, ordered, waiting, state, mails, spentMicros } = found
  const wanted = wantedOf(one)
  const about = (what: string): string => `${one.name}: ${what}`
  assert.equal(new Set(delivered).size, delivered.length, about('nothing is bought twice'))
  for (const id of delivered) assert.ok(wanted.includes(id), about(`${id} was not to be bought`))
  // A video that was deleted before a look found it is missing.
  const lasting = one.uploads.flatMap(({ videoId, kind }) => (kind === 'deleted' ? [] : [videoId]))
  const inOrder = ordered.filter((id) => lasting.includes(id))
  assert.deepEqual(inOrder, lasting.slice(0, inOrder.length), about('in order of age'))
  assert.equal(spentMicros, BigInt(delivered.length) * 8_000n, about('charged as delivered'))
  assert.equal(state, stateOf(one), about('state'))
  if (one.kept === null) {
    assert.deepEqual(delivered.toSorted(), wanted.toSorted(), about('each is bought'))
    assert.ok(!isAwaited(wanted, waiting), about('nothing waits that is to be bought'))
  } else assert.equal(delivered.length, PAID_VIDEOS, about('all is bought that is paid for'))
  if (one.kept === 'cap_reached')
    assert.ok(isComplete(wanted, delivered, waiting), about('what was not bought waits'))
  assert.equal(mails, state === 'out_of_money' ? 1 : 0, about('one mail, or none'))
}

/** Checks events: states alternate, so that their numbers show whether each change was told, and none was made up. */
function checkEvents(one: Followed, { state }: Situation, events: Map<string, number>): void {
  const count = (type: string): number => events.get(`subscription.${type}`) ?? 0
  const resting = count('cap_reached') + count('out_of_money')
  assert.equal(resting - count('active'), state === 'active' ? 0 : 1, `${one.name}: states`)
  assert.ok(count('found') > 0 && count('found') <= one.uploads.length, `${one.name}: found`)
  assert.equal(count('paused') + count('gone'), 0)
}

async function situationOf({ pool }: Database, { id, accountId }: Followed): Promise<Situation> {
  const { rows } = await pool.query<Omit<Situation, 'spentMicros'> & { spentMicros: string }>(
    `select s.state, s.leased_until is not null or exists (
        select from job where account_id = $2 and charged_micros is null) as "isBusy",
      array(select video_id from subscription_video where subscription_id = s.id order by number) as waiting,
      array(select r.video_id from video_row r join job j on j.id = r.job_id
        where j.account_id = $2 and r.status = 'success') as delivered,
      array(select video_id from (
        select distinct on (r.video_id) r.video_id, o.slot, r.index from subscription_job o join video_row r on r.job_id = o.job_id
        where o.subscription_id = s.id order by r.video_id, o.slot, r.index) first order by slot, index) as ordered,
      (select count(*)::int from subscription_mail where account_id = $2) as mails,
      (select coalesce(sum(charged_micros), 0)::text from job where account_id = $2) as "spentMicros"
    from subscription s where s.id = $1`,
    [id, accountId],
  )
  const [row] = rows
  assert.ok(row !== undefined)
  return { ...row, spentMicros: BigInt(row.spentMicros) }
}
