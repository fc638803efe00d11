/** The tool `start_job`: orders transcripts. An agent has to name what a list may cost before it spends it. */
import { type Static, Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject } from '../../api/contract.ts'
import { orderJob, readJobOrder } from '../../api/jobs/order-job.ts'
import { readOwnJob } from '../../features/jobs/read-jobs.ts'
import { findReplay } from '../../features/jobs/start-job.ts'
import { readBalance } from '../../features/money/balance.ts'
import type { PreviewView } from '../../features/previews/previews.ts'
import { LIMITS } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import { type Idempotency, sentIdempotency } from '../../model/jobs/idempotency.ts'
import { isOfVideo, type Order } from '../../model/jobs/order.ts'
import { available } from '../../model/money/ledger.ts'
import { affordable, cost, dollars, PRICE_MICROS } from '../../model/money/money.ts'
import { costsOf } from '../../model/previews/preview.ts'
import type { JobRecord } from '../../store/jobs.ts'
import {
  affordableOf,
  moneyLeft,
  type MoneyLeft,
  nextStep,
  presentMoney,
  previewFor,
  previewSummary,
  jobAfterWait,
  WaitSeconds,
  summaryOf,
} from '../job-answers.ts'
import { JobFields, MoneyFields, textField, textList } from '../answers.ts'
import { OrderedFields } from '../order-fields.ts'
import { refusalAnswer } from '../refusals.ts'
import { type AgentCall, defineTool, jsonAnswer, READS, type RefusedAnswer } from '../tool.ts'

/** Returns a refusal, with the preview behind it where there is one. */
async function askForLimit(ctx: ApiContext, order: Order, call: AgentCall): Promise<RefusedAnswer> {
  const left = await moneyLeft(ctx.db, available(call.balance), call)
  const preview = await previewFor(ctx, order, call).catch(nullWhereBusy)
  const problem = new Problem('invalid_request', {
    field: 'maxVideos',
    message: askingSentence(left, preview),
  })
  return refusalAnswer(problem, preview === null ? [] : [JSON.stringify(previewSummary(preview))])
}

/** Returns null where the service is too busy for a preview: the refusal is useful without one, too. */
function nullWhereBusy(error: unknown): null {
  const isBusy =
    error instanceof Problem && (error.code === 'rate_limited' || error.code === 'server_busy')
  if (!isBusy) throw error
  return null
}

function mostOf({ findings, maxVideos: slots, skipsOwned }: PreviewView): bigint {
  return costsOf(findings, { slots, skipsOwned }).mostMicros
}

function askingSentence(left: MoneyLeft, preview: PreviewView | null): string {
  const covered = Math.min(LIMITS.videosMax, affordableOf(left))
  const most = preview === null ? covered : Math.min(covered, affordable(mostOf(preview)))
  const ofCap =
    left.cap === null
      ? ''
      : `; of this ${left.cap.of}'s monthly limit ${dollars(left.cap.leftMicros)} is left`
  const andPreview = preview === null ? '' : ', and with the previewId'
  return (
    'maxVideos is required for a channel or playlist; nothing was started. ' +
    `Without it, this job could buy up to ${most} videos for ${dollars(cost(most))} ` +
    `(${dollars(PRICE_MICROS)} each; the balance is ${dollars(left.availableMicros)}${ofCap}). ` +
    `Call start_job again with the number of videos that you want to pay for${andPreview}.`
  )
}

const input = closedObject({
  ...OrderedFields,
  previewId: Type.Optional(Type.String()),
  idempotencyKey: Type.Optional(
    Type.String({ minLength: 1, maxLength: LIMITS.idempotencyKeyLengthMax }),
  ),
  waitSeconds: Type.Optional(WaitSeconds),
})
type Input = Static<typeof input>
type Started = { job: JobRecord; notices: string[] }

const DESCRIPTION =
  `Buys transcripts of videos, playlists or channels: ${dollars(PRICE_MICROS)} for each one delivered; ` +
  'maxVideos times that is reserved. What you own is left out; the same URLs again buy the NEXT videos of a list. ' +
  'To repeat a call safely, send the same idempotencyKey.'

export const startJobTool = defineTool({
  name: 'start_job',
  title: 'Start a job',
  description: DESCRIPTION,
  input,
  output: closedObject({
    ...JobFields,
    next: textField,
    notices: Type.Optional(textList),
    ...MoneyFields,
  }),
  shows: ['jobId', 'isFinal', 'delivered', 'chargedUsd'],
  needs: ['jobs:write'],
  hints: { ...READS, readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  async run({ waitSeconds, ...order }, call, ctx) {
    const started = await startOrJoin(ctx, order, call)
    if ('content' in started) return started
    const now = await jobAfterWait(ctx, started.job, { seconds: waitSeconds, call })
    return answerOf(ctx, { job: now, notices: started.notices }, call)
  },
})

/**
 * Starts the job, or finds the one of a known key, as the API does; a limit is asked for before anything is reserved.
 */
export async function startOrJoin(
  ctx: ApiContext,
  { idempotencyKey, previewId, owned = 'skip', track, ...body }: Omit<Input, 'waitSeconds'>,
  call: AgentCall,
): Promise<Started | RefusedAnswer> {
  const { accountId } = call
  const idempotency: Idempotency | null =
    idempotencyKey === undefined ? null : sentIdempotency(idempotencyKey, body)
  const known = idempotency === null ? null : await findReplay(ctx.db, accountId, idempotency)
  if (known !== null) return { job: known, notices: known.notices }

  const read = await readJobOrder(body, { owned, track })
  const maxVideos = body.maxVideos ?? countOfNamed(read)
  if (maxVideos === null) return askForLimit(ctx, read, call)
  try {
    const order = { ...read, maxVideos }
    const asked = { order, idempotency, previewId: previewId ?? null }
    const { job } = await orderJob(ctx, { ...call, ...asked })
    return { job, notices: job.notices }
  } catch (error) {
    const running = idempotency === null ? runningJobOf(error) : null
    const job = running === null ? null : await readOwnJob(ctx.db, { accountId, jobId: running })
    if (job === null) throw error
    return { job, notices: [JOINED] }
  }
}

const JOINED =
  'A job with these URLs was running already: this is that job. Nothing new was started or reserved.'

/**
 * Returns the number of videos that are named, which is a limit of its own; null where a list is among them, which may
 * hold any number.
 */
function countOfNamed({ lines }: Order): number | null {
  return lines.every(isOfVideo) ? lines.length : null
}

function runningJobOf(error: unknown): string | null {
  return error instanceof Problem && error.code === 'job_in_progress' ? error.jobId : null
}

async function answerOf({ db }: ApiContext, { job, notices }: Started, call: AgentCall) {
  const { availableMicros } = await readBalance(db, call.accountId)
  const left = await moneyLeft(db, availableMicros, call)
  return jsonAnswer({
    ...(await summaryOf(db, job)),
    ...(notices.length > 0 ? { notices } : {}),
    ...presentMoney(left),
    next: nextStep(job),
  })
}
