/**
 * The money of the service as simply as it can be said: plain numbers, no database, no entries, one thing at a time.
 * The simulation compares the service with it.
 */
import { LOST_MAX } from '../support/money-fixtures.ts'

export const PRICE = 8_000

export type ModelJob = {
  account: number
  line: number
  key: string | null
  asked: number
  /** Most videos that the job may take up, for which money is reserved. */
  max: number
  state: 'queued' | 'running' | 'cancelling' | 'finished' | 'cancelled' | 'failed' | 'interrupted'
  attempt: number
  isHeld: boolean
  /** True where the latest claim took the job from a worker that held it. */
  isLost: boolean
  lost: number
  /** True once the present attempt has planned or recorded anything. */
  hasProgress: boolean
  rows: ('open' | 'done')[]
  delivered: number
}

export type ModelClaim = { payment: number; at: number; asked: number; taken: number }

export type Model = {
  /** Money that accounts own, in micros; reserves follow from their jobs. */
  owned: number[]
  jobs: ModelJob[]
  topUps: Set<string>
  events: Set<string>
  /** Account and amount credited, by payment. */
  payments: Map<number, { account: number; credited: number }>
  claims: Map<string, ModelClaim>
}

/** Outcome of an act: one of SITUATIONS, two with a blank between, or something ordinary. */
export type Outcome = string

export function newModel(owned: number[]): Model {
  return {
    owned: [...owned],
    jobs: [],
    topUps: new Set(),
    events: new Set(),
    payments: new Map(),
    claims: new Map(),
  }
}

export const isOpen = ({ state }: ModelJob): boolean =>
  ['queued', 'running', 'cancelling'].includes(state)

export function held(model: Model, account: number): number {
  return model.jobs
    .filter((job) => job.account === account && isOpen(job))
    .reduce((sum, job) => sum + job.max * PRICE, 0)
}

export function available(model: Model, account: number): number {
  return (model.owned[account] ?? 0) - held(model, account)
}

export function post(
  model: Model,
  ask: { account: number; line: number; key: string | null; asked: number },
): Outcome {
  const mine = model.jobs.filter((job) => job.account === ask.account)
  const known = ask.key === null ? undefined : mine.find((job) => job.key === ask.key)
  if (known !== undefined)
    return known.line === ask.line && known.asked === ask.asked ? 'replayed' : 'conflict'
  if (mine.some((job) => job.line === ask.line && isOpen(job))) return 'duplicate'
  const max = Math.min(ask.asked, Math.floor(available(model, ask.account) / PRICE))
  if (max === 0) return 'broke'
  model.jobs.push({
    ...ask,
    max,
    state: 'queued',
    attempt: 0,
    isHeld: false,
    isLost: false,
    lost: 0,
    hasProgress: false,
    rows: [],
    delivered: 0,
  })
  return max < ask.asked ? 'capped' : 'started'
}

/** Claims the job; a worker that held it has lost it. */
export function claim(job: ModelJob): void {
  if (!isOpen(job)) return
  Object.assign(job, { attempt: job.attempt + 1, isLost: job.isHeld, isHeld: true })
}

/** Begins the job's latest claim. */
export function begin(model: Model, job: ModelJob): Outcome {
  if (!isOpen(job)) return 'final'
  const lost = job.hasProgress ? 0 : job.lost + (job.isLost ? 1 : 0)
  if (job.state === 'cancelling') return settle(model, job, 'cancelled')
  if (lost >= LOST_MAX) return settle(model, job, 'interrupted')
  const outcome = job.attempt > 1 ? 'redelivered' : 'begun'
  Object.assign(job, { lost, isLost: false, hasProgress: false, state: 'running' })
  return outcome
}

export function plan(job: ModelJob, attempt: number, count: number): Outcome {
  if (attempt !== job.attempt || job.state !== 'running')
    return attempt < job.attempt ? 'fencedOff' : 'refused'
  for (let n = 0; n < count; n += 1) job.rows.push('open')
  job.hasProgress = true
  return 'planned'
}

export function record(
  job: ModelJob,
  attempt: number,
  index: number,
  isDelivered: boolean,
): Outcome {
  if (attempt !== job.attempt || job.state !== 'running')
    return attempt < job.attempt ? 'fencedOff' : 'refused'
  if (job.rows[index - 1] !== 'open') return 'repeated'
  job.rows[index - 1] = 'done'
  job.hasProgress = true
  if (isDelivered) job.delivered += 1
  return isDelivered ? 'delivered' : 'free'
}

/** Records each video by itself. Together they have one outcome, a separate one where some were recorded before. */
export function recordTogether(
  job: ModelJob,
  attempt: number,
  videos: readonly { index: number; isDelivered: boolean }[],
): Outcome {
  const outcomes = videos.map(({ index, isDelivered }) => record(job, attempt, index, isDelivered))
  const [first = ''] = outcomes
  if (outcomes.length === 1 || outcomes.every((one) => one === 'repeated')) return first
  if (outcomes.includes('repeated')) return 'repeatedInPart'
  return ['delivered', 'free'].includes(first) ? 'recordedTogether' : first
}

export function handBack(job: ModelJob, attempt: number): Outcome {
  if (attempt === job.attempt) job.isHeld = false
  return 'handedBack'
}

export function cancel(model: Model, job: ModelJob): Outcome {
  if (!isOpen(job)) return 'final'
  if (job.state === 'queued') return settle(model, job, 'cancelled')
  if (job.state === 'running' && !job.isHeld)
    return `${settle(model, job, 'cancelled')} cancelledBetweenTurns`
  job.state = 'cancelling'
  return 'cancelling'
}

const ENDS = { finish: 'finished', fail: 'failed', interrupt: 'interrupted' } as const

export function end(
  model: Model,
  job: ModelJob,
  attempt: number,
  event: keyof typeof ENDS | 'stop',
): Outcome {
  if (attempt !== job.attempt || job.state === 'queued' || !isOpen(job))
    return attempt < job.attempt ? 'fencedOff' : 'refused'
  if (job.state === 'cancelling') return settle(model, job, 'cancelled')
  return event === 'stop' ? 'refused' : settle(model, job, ENDS[event])
}

function settle(model: Model, job: ModelJob, state: ModelJob['state']): Outcome {
  job.state = state
  job.isHeld = false
  model.owned[job.account] = (model.owned[job.account] ?? 0) - job.delivered * PRICE
  const share =
    job.delivered === 0
      ? 'chargedNothing'
      : job.delivered === job.max
        ? 'chargedAll'
        : 'chargedPart'
  return `${state} ${share}`
}

export function topUp(model: Model, account: number, micros: number, reference: string): Outcome {
  if (model.topUps.has(reference)) return 'doubleTopUp'
  model.topUps.add(reference)
  model.owned[account] = (model.owned[account] ?? 0) + micros
  return 'toppedUp'
}

export type ModelEvent = { id: string; payment: number } & (
  | { kind: 'paid'; account: number; micros: number }
  | { kind: 'claim'; claim: string; asked: number; at: number }
)

export function applyEvent(model: Model, event: ModelEvent): Outcome {
  if (model.events.has(event.id)) return 'duplicateWebhook'
  model.events.add(event.id)
  const payment = model.payments.get(event.payment)
  if (event.kind === 'paid') {
    if (payment !== undefined) return 'paidTwice'
    model.payments.set(event.payment, { account: event.account, credited: event.micros })
    model.owned[event.account] = (model.owned[event.account] ?? 0) + event.micros
    const early = [...model.claims.values()].filter((claim) => claim.payment === event.payment)
    for (const claim of early) take(model, claim)
    return early.length > 0 ? 'claimBeforePayment' : 'paid'
  }
  const known = model.claims.get(event.claim)
  if (
    known !== undefined &&
    (event.at < known.at || (event.at === known.at && event.asked >= known.asked))
  )
    return 'lateEvent'
  const claim = known ?? { payment: event.payment, at: event.at, asked: event.asked, taken: 0 }
  Object.assign(claim, { at: event.at, asked: event.asked })
  model.claims.set(event.claim, claim)
  return payment === undefined ? 'claimWithoutPayment' : take(model, claim)
}

/**
 * Takes money back for a claim: what it asks for, but no more than its payment credited, and no more than is available.
 */
function take(model: Model, claim: ModelClaim): Outcome {
  const payment = model.payments.get(claim.payment)
  if (payment === undefined) return 'claimWithoutPayment'
  const others = [...model.claims.values()].filter(
    (one) => one !== claim && one.payment === claim.payment,
  )
  const left = payment.credited - others.reduce((sum, one) => sum + one.taken, 0)
  const due = Math.min(claim.asked, left) - claim.taken
  const moved = Math.min(due, available(model, payment.account))
  claim.taken += moved
  model.owned[payment.account] = (model.owned[payment.account] ?? 0) - moved
  if (moved < due) return 'stoppedAtZero'
  return moved < 0 ? 'claimReturned' : moved > 0 ? 'claimTaken' : 'claimUnmoved'
}
