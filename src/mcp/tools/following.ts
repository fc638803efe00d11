/** The tools `follow`, `unfollow` and `list_followed`: channels and playlists whose new videos are bought. */
import { Type } from 'typebox'
import type { ApiContext } from '../../api/api-context.ts'
import { closedObject, pagingOf } from '../../api/contract.ts'
import { SubscriptionBody } from '../../api/subscription-contract.ts'
import { waitForFirstLook } from '../../features/follow/first-look.ts'
import {
  createSubscription,
  readSubscriptions,
  removeSubscription,
  type SpentSubscription,
} from '../../features/follow/subscriptions.ts'
import { pageInfo } from '../../kit/page.ts'
import { found, Problem } from '../../kit/problem.ts'
import { available } from '../../model/money/ledger.ts'
import { cost, dollars, formatUsd, PRICE_MICROS } from '../../model/money/money.ts'
import { FollowAnswer, FollowedAnswer, UnfollowAnswer } from '../answers.ts'
import { agentWaitMs } from '../job-answers.ts'
import { briefly, defineTool, jsonAnswer, READS, type Tool, withoutNulls } from '../tool.ts'

const LISTED = 20
const MCP_FOLLOWED_MAX = 100

const { url, language, backlog } = SubscriptionBody.properties
const followInput = closedObject({
  url: briefly(url),
  monthlyCap: Type.Number({ description: 'USD' }),
  backlog: briefly(backlog, 'Latest videos to buy now'),
  language: briefly(language),
})

export function followTool({ db, config, stopping }: ApiContext): Tool {
  const max = config.SUBSCRIPTIONS_PER_ACCOUNT
  return defineTool({
    name: 'follow',
    title: 'Follow a list',
    description: `Buys new videos of a channel or playlist from now on, ${dollars(PRICE_MICROS)} each, at most monthlyCap a month.`,
    input: followInput,
    output: FollowAnswer,
    shows: ['subscriptionId', 'next'],
    needs: ['everything'],
    hints: { ...READS, readOnlyHint: false, openWorldHint: true, idempotentHint: true },
    async run({ monthlyCap, ...asked }, { accountId, balance, departure }) {
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
}

/** Says what following may cost, of the backlog and in a month. */
function costsOfFollowing({ capMicros }: SpentSubscription, backlog: number): string {
  const backlogMicros = cost(backlog)
  const now = backlogMicros < capMicros ? backlogMicros : capMicros
  const ofBacklog = backlog === 0 ? '' : `The backlog costs at most ${dollars(now)}. `
  return (
    `${ofBacklog}New videos are bought for ${dollars(PRICE_MICROS)} each, at most ${dollars(capMicros)} a month ` +
    '(UTC). list_followed says what was spent; unfollow ends it.'
  )
}

const NOT_FOLLOWED =
  'Your account follows nothing with this subscriptionId; list_followed names what it follows.'

export function unfollowTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'unfollow',
    title: 'Unfollow',
    description: 'Ends following. Transcripts stay.',
    input: closedObject({ subscriptionId: Type.String() }),
    output: UnfollowAnswer,
    shows: ['isFollowed'],
    needs: ['everything'],
    hints: { ...READS, readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    async run({ subscriptionId }, { accountId }) {
      const isRemoved = await removeSubscription(db, { accountId, subscriptionId })
      found(isRemoved || null, NOT_FOLLOWED)
      return jsonAnswer({ subscriptionId, isFollowed: false })
    },
  })
}

export function listFollowedTool({ db }: ApiContext): Tool {
  return defineTool({
    name: 'list_followed',
    title: 'List followed',
    description: 'What is followed, and what each spent this month.',
    output: FollowedAnswer,
    shows: ['followed', 'nextOffset'],
    input: closedObject(pagingOf({ limit: LISTED, limitMax: MCP_FOLLOWED_MAX })),
    needs: ['everything'],
    hints: READS,
    async run({ offset = 0, limit = LISTED }, { accountId }) {
      const { total, subscriptions } = await readSubscriptions(db, { accountId, offset, limit })
      const page = pageInfo({ offset, limit }, total)
      return jsonAnswer({ ...page, followed: subscriptions.map(summaryOfFollowed) })
    },
  })
}

function summaryOfFollowed(one: SpentSubscription) {
  const { id, line, title, state, notice, jobIds } = one
  return {
    subscriptionId: id,
    url: line,
    state,
    monthlyCapUsd: formatUsd(one.capMicros),
    spentThisMonthUsd: formatUsd(one.spentMicros),
    jobIds,
    ...(one.skipsOwned ? {} : { owned: 'again' }),
    ...withoutNulls({ title, notice, nextCheckAt: one.nextLookAt?.toISOString() ?? null }),
  }
}
