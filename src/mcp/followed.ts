/** Channels and playlists that are followed, as agents see them. */
import { formatUsd } from '../model/money/money.ts'
import type { SpentSubscription } from '../features/follow/subscriptions.ts'
import { maybeText, textField, textList } from './answers.ts'
import { withoutNulls } from './tool.ts'

export const FollowedFields = {
  subscriptionId: textField,
  url: textField,
  state: textField,
  monthlyCapUsd: textField,
  spentThisMonthUsd: textField,
  jobIds: textList,
  owned: maybeText,
  title: maybeText,
  notice: maybeText,
  nextCheckAt: maybeText,
}

/** Returns what an agent decides by, without what is not known. */
export function summaryOfFollowed(one: SpentSubscription) {
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
