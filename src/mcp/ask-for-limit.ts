/** The answer to an order that names a list and no limit: what it could cost, so that an agent names what it may. */
import type { JobBody } from '../api/contract.ts'
import { available } from '../model/money/ledger.ts'
import { cost, formatUsd, PRICE_MICROS } from '../model/money/money.ts'
import { LIMITS } from '../kit/config/config.ts'
import { costsOf } from '../model/previews/preview.ts'
import type { PreviewView } from '../features/previews/previews.ts'
import { Problem } from '../kit/problem.ts'
import {
  affordableOf,
  moneyLeft,
  type MoneyLeft,
  previewFor,
  previewSummary,
} from './job-answers.ts'
import { type AgentCall, refusalAnswer, type ToolAnswer, type ToolContext } from './tool.ts'

/** Returns a refusal, with the preview behind it where there is one. */
export async function askForLimit(
  ctx: ToolContext,
  body: JobBody,
  call: AgentCall,
): Promise<ToolAnswer> {
  const left = await moneyLeft(ctx.db, available(call.balance), call)
  const preview = await previewFor(ctx, body, call).catch(noneWhereBusy)
  const problem = new Problem('invalid_request', {
    field: 'maxVideos',
    message: sentenceOf(left, preview),
  })
  return refusalAnswer(problem, preview === null ? [] : [JSON.stringify(previewSummary(preview))])
}

/** Returns null where the service is too busy for a preview: the refusal is useful without one, too. */
function noneWhereBusy(error: unknown): null {
  const isBusy =
    error instanceof Problem && (error.code === 'rate_limited' || error.code === 'server_busy')
  if (!isBusy) throw error
  return null
}

function sentenceOf(left: MoneyLeft, preview: PreviewView | null): string {
  const covered = Math.min(LIMITS.videosMax, affordableOf(left))
  const most =
    preview === null
      ? covered
      : Math.min(
          covered,
          Number(costsOf(preview.findings, preview.maxVideos).mostMicros / PRICE_MICROS),
        )
  const ofCap =
    left.cap === null
      ? ''
      : `; of this ${left.cap.of}'s monthly cap ${formatUsd(left.cap.leftMicros)} USD are left`
  const andPreview = preview === null ? '' : ', and with the previewId'
  return (
    'maxVideos is required for a channel or playlist; nothing was started. ' +
    `Without it, this job could buy up to ${most} videos for ${formatUsd(cost(most))} USD ` +
    `(${formatUsd(PRICE_MICROS)} USD each; the balance is ${formatUsd(left.availableMicros)} USD${ofCap}). ` +
    `Call start_job again with the number of videos that you want to pay for${andPreview}.`
  )
}
