/** The tool `get_balance`: what the account can spend, read with the authentication of the call. */
import { Type } from 'typebox'
import { presentBalance } from '../../api/present.ts'
import { available } from '../../model/money/ledger.ts'
import { moneyLeft, presentCap } from '../job-answers.ts'
import { defineTool, jsonAnswer, READS, type Tool, type ToolContext } from '../tool.ts'

export function getBalanceTool({ db }: Pick<ToolContext, 'db'>): Tool {
  return defineTool({
    name: 'get_balance',
    title: 'Read the balance',
    description:
      'What can be spent, in USD; what running jobs reserve is already subtracted. Free.',
    input: Type.Object({}, { additionalProperties: false }),
    scope: 'account:read',
    hints: READS,
    async run(_args, call) {
      const left = await moneyLeft(db, available(call.balance), call)
      return jsonAnswer({ ...presentBalance(call.balance), ...presentCap(left) })
    },
  })
}
