/** `admin subscriptions`: what accounts follow, and when each is looked at. */
import { formatUsd } from '../model/money/money.ts'
import { findSubscriptions, type OwnedSubscription } from '../features/operator/read-jobs.ts'
import { SUBSCRIPTION_STATES } from '../model/follow/subscription.ts'
import type { Command } from './command.ts'
import { requireAccount } from './key-commands.ts'
import { pageAnswer, readChoice, readPage } from './paging.ts'

export const subscriptionsCommand: Command = {
  usage: 'subscriptions [--account A] [--state S] [--limit 50] [--offset 0] [--json]',
  about: 'lists what all accounts or one follow, those first whose look is due first',
  options: ['account', 'state', 'limit', 'offset'],
  words: 0,
  async run({ db }, input) {
    const named = input.optional('account')
    const accountId = named === null ? null : (await requireAccount(db, named)).id
    const page = readPage(input)
    const state = readChoice(input, 'state', SUBSCRIPTION_STATES)
    const found = await findSubscriptions(db, { ...page, accountId, state })
    const subscriptions = found.subscriptions.map(presentAnySubscription)
    const { nextOffset } = found
    const lines = subscriptions.map((one) =>
      [
        one.subscriptionId,
        one.state.padEnd(12),
        one.nextLookAt ?? 'no further look'.padEnd(24),
        one.monthlyCap.padStart(9),
        one.email,
        one.url,
        ...(one.failures > 0 ? [`${one.failures} looks failed`] : []),
      ].join('  '),
    )
    return pageAnswer('subscriptions', { ...page, items: subscriptions, lines, nextOffset })
  },
}

function presentAnySubscription(one: OwnedSubscription) {
  return {
    subscriptionId: one.id,
    accountId: one.accountId,
    email: one.email,
    url: one.line,
    title: one.title,
    state: one.state,
    createdAt: one.createdAt.toISOString(),
    lastLookedAt: one.lastLookedAt?.toISOString() ?? null,
    nextLookAt: one.nextLookAt?.toISOString() ?? null,
    monthlyCap: formatUsd(one.capMicros),
    failures: one.failures,
    notice: one.notice,
  }
}
