/** The tool `get_balance`: what can be spent. */
import { closedObject } from '../../api/contract.ts'
import { presentBalance } from '../../api/money/present.ts'
import { available } from '../../model/money/ledger.ts'
import { countField, MoneyFields, textField } from '../answers.ts'
import { moneyLeft, presentCap } from '../job-answers.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

const output = closedObject({
  balance: textField,
  balanceMicros: countField,
  currency: textField,
  pricePerTranscript: textField,
  affordableTranscripts: countField,
  monthlyCapLeftUsd: MoneyFields.monthlyCapLeftUsd,
})

export const getBalanceTool = defineTool({
  name: 'get_balance',
  title: 'Read the balance',
  description: 'What can be spent, in USD; ask it before you buy.',
  input: closedObject({}),
  output,
  shows: ['balance', 'monthlyCapLeftUsd'],
  needs: ['account:read'],
  hints: READS,
  async run(_args, call, { db }) {
    const left = await moneyLeft(db, available(call.balance), call)
    return jsonAnswer({ ...presentBalance(call.balance), ...presentCap(left) })
  },
})
