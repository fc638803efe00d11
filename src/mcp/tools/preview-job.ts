/** The tool `preview_job`: what a job would take up and cost, before anything is ordered. */
import { closedObject } from '../../api/contract.ts'
import { readJobOrder } from '../../api/jobs/order-job.ts'
import { available } from '../../model/money/ledger.ts'
import {
  moneyLeft,
  presentMoney,
  previewFor,
  previewSummary,
  PreviewFields,
} from '../job-answers.ts'
import { MoneyFields } from '../answers.ts'
import { INSTEAD } from '../next-steps.ts'
import { PreviewedFields } from '../order-fields.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

export const previewJobTool = defineTool({
  name: 'preview_job',
  title: 'Preview a job',
  description:
    `What an order would buy and cost at most, and what you own. ${INSTEAD.preview_job} ` +
    'Call it again while state is listing.',
  output: closedObject({ ...PreviewFields, ...MoneyFields }),
  shows: ['previewId', 'state', 'wouldTake', 'costAtMostUsd'],
  input: closedObject(PreviewedFields),
  needs: ['jobs:write'],
  hints: { ...READS, openWorldHint: true },
  async run({ owned = 'skip', track, ...body }, call, ctx) {
    const preview = await previewFor(ctx, await readJobOrder(body, { owned, track }), call)
    const left = await moneyLeft(ctx.db, available(call.balance), call)
    return jsonAnswer({ ...previewSummary(preview), ...presentMoney(left) })
  },
})
