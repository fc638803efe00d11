/** A preview for agents: asked for and waited for in one call, and told in fewer words than the API's. */
import { askPreview } from '../api/ask-preview.ts'
import type { JobBody } from '../api/contract.ts'
import { formatUsd } from '../model/money/money.ts'
import { costsOf, type Finding } from '../model/previews/preview.ts'
import { type PreviewView, waitForPreview } from '../features/previews/read-preview.ts'
import { Problem } from '../kit/problem.ts'
import type { AgentCall, ToolContext } from './tool.ts'

/** A preview is answered as far as it is by then; the same call goes on with it. */
const MCP_PREVIEW_MS = 20_000
/** Lines of a preview that are told one by one. */
const MCP_PREVIEWED_LINES = 20

/** As far as it is found out within the time that an agent is made to wait. */
export async function previewFor(
  ctx: ToolContext,
  body: JobBody,
  { accountId, departure }: Pick<AgentCall, 'accountId' | 'departure'>,
): Promise<PreviewView> {
  const previewId = await askPreview(ctx, { accountId, body })
  const until = {
    waitMs: MCP_PREVIEW_MS,
    departure: AbortSignal.any([departure(), ctx.stopping.signal]),
  }
  const preview = await waitForPreview(ctx.db, { accountId, previewId }, until)
  if (preview === null) throw new Problem('server_busy')
  return preview
}

export function previewSummary(preview: PreviewView) {
  const { sources } = preview.findings
  const { wouldTake, mostMicros, expectedMicros } = costsOf(preview.findings, preview.maxVideos)
  const notices = [...preview.notices, ...preview.findings.notices]
  return {
    previewId: preview.id,
    state: preview.state,
    wouldTake,
    costAtMostUsd: formatUsd(mostMicros),
    costExpectedUsd: formatUsd(expectedMicros),
    sourceCount: sources.length,
    sources: sources.slice(0, MCP_PREVIEWED_LINES).map(briefFinding),
    ...(notices.length > 0 ? { notices } : {}),
  }
}

/** What an agent decides by, without what is not known. */
function briefFinding(finding: Finding): Record<string, unknown> {
  const { line, kind, title, channelName, videos, isComplete, newestAt, oldestAt } = finding
  const { delivered, wouldTake, error } = finding
  const known = { line, kind, title, channelName, videos, newestAt, oldestAt, error }
  return {
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null)),
    isComplete,
    delivered,
    wouldTake,
  }
}
