/** Previews as the API shows our records of them. */
import type { Static } from 'typebox'
import { formatUsd } from '../../model/money/money.ts'
import { costsOf, type Finding, noticesOfUnreached } from '../../model/previews/preview.ts'
import type { PreviewView } from '../../features/previews/previews.ts'
import { presentInput } from '../jobs/present.ts'
import { Preview } from './schema.ts'

function toldOf({
  hopeless: _hopeless,
  beyond: _beyond,
  elsewhere: _elsewhere,
  unchanged: _unchanged,
  isSettled: _isSettled,
  owned = 0,
  ownedFrom = null,
  ...told
}: Finding) {
  return { ...told, owned, ...(ownedFrom === null ? {} : { ownedFrom }) }
}

export function presentPreview(preview: PreviewView): Static<typeof Preview> {
  const { findings } = preview
  const { maxVideos: slots, skipsOwned } = preview
  const unreached = preview.state === 'ready' ? noticesOfUnreached(findings, slots) : []
  const costs = costsOf(findings, { slots, skipsOwned })
  return {
    id: preview.id,
    state: preview.state,
    createdAt: preview.createdAt.toISOString(),
    expiresAt: preview.expiresAt.toISOString(),
    input: presentInput(preview),
    sources: findings.sources.map(toldOf),
    wouldTake: costs.wouldTake,
    unchanged: costs.unchanged,
    costAtMost: formatUsd(costs.mostMicros),
    costExpected: formatUsd(costs.expectedMicros),
    costAgain: formatUsd(costs.againMicros),
    notices: [...preview.notices, ...findings.notices, ...unreached],
  }
}
