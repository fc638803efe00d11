/** The tool `follow`: buys the new videos of a channel or playlist from now on. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { SubscriptionBody } from '../../api/subscriptions/schema.ts'
import { waitForFirstLook } from '../../features/follow/first-look.ts'
import {
  createSubscription,
  removeSubscription,
  type SpentSubscription,
} from '../../features/follow/subscriptions.ts'
import { found, Problem } from '../../kit/problem.ts'
import { available } from '../../model/money/ledger.ts'
import { cost, dollars, formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { textField } from '../answers.ts'
import { FollowedFields, summaryOfFollowed } from '../followed.ts'
import { agentWaitMs } from '../job-answers.ts'
import { FOLLOWING_ENDS, NOT_FOLLOWED } from '../next-steps.ts'
import { briefly, defineTool, jsonAnswer, READS } from '../tool.ts'

const { url, language, backlog } = SubscriptionBody.properties
const followInput = closedObject({
  url: briefly(url),
  monthlyCap: Type.Number({ description: 'USD' }),
  backlog: briefly(backlog, 'Latest videos to buy now'),
  language: briefly(language),
})

export const followTool = defineTool({
  name: 'follow',
  title: 'Follow a list',
  description: `Buys new videos of a channel or playlist from now on, ${dollars(PRICE_MICROS)} each, at most monthlyCap a month.`,
  input: followInput,
  output: closedObject({ ...FollowedFields, balanceUsd: textField, next: textField }),
  shows: ['subscriptionId', 'next'],
  needs: ['everything'],
  hints: { ...READS, readOnlyHint: false, openWorldHint: true },
  async run({ monthlyCap, ...asked }, { accountId, balance, departure }, { db, config, stopping }) {
    const max = config.SUBSCRIPTIONS_PER_ACCOUNT
    const input = { ...asked, monthlyCap: String(monthlyCap) }
    const { id: subscriptionId } = await createSubscription(db, { accountId, input, max })
    const at = { accountId, subscriptionId }
    const until = {
      waitMs: agentWaitMs(config.deadlines.agentFirstLookMs),
      departure: AbortSignal.any([departure, stopping.signal]),
    }
    const followed = found(await waitForFirstLook(db, at, until), NOT_FOLLOWED)
    if (followed.isNeverFound) {
      await removeSubscription(db, at)
      const message = `The platform has no channel or playlist ${followed.line}; nothing is followed. Check the URL.`
      throw new Problem('invalid_url', { field: 'url', message })
    }
    return jsonAnswer({
      ...summaryOfFollowed(followed),
      balanceUsd: formatUsd(available(balance)),
      next: costsOfFollowing(followed, asked.backlog ?? 0),
    })
  },
})

/** Says what following may cost, of the backlog and in a month. */
function costsOfFollowing({ capMicros }: SpentSubscription, backlog: number): string {
  const backlogMicros = cost(backlog)
  const now = backlogMicros < capMicros ? backlogMicros : capMicros
  const ofBacklog = backlog === 0 ? '' : `The backlog costs at most ${dollars(now)}. `
  return (
    `${ofBacklog}New videos are bought for ${dollars(PRICE_MICROS)} each, at most ${dollars(capMicros)} a month ` +
    `(UTC). ${FOLLOWING_ENDS}`
  )
}
