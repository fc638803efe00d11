/** Tools that wait for a job: no longer than clients wait for a tool. */
import { type Static, Type } from 'typebox'
import type { JobRecord } from '../store/jobs.ts'
import type { AgentCall, ToolContext } from './tool.ts'

/** Clients give up a tool after 60 seconds. */
const MCP_WAIT_SECONDS = 45

export const WaitSeconds = Type.Integer({
  minimum: 0,
  maximum: MCP_WAIT_SECONDS,
  description: 'Wait for the end at most so long',
})

/** Returns the job when it is final, or as it is after the wait. */
export function waited(
  { feed }: Pick<ToolContext, 'feed'>,
  job: JobRecord,
  { seconds, call }: { seconds: Static<typeof WaitSeconds> | undefined; call: AgentCall },
): Promise<JobRecord> {
  return feed.untilFinal(job, { waitMs: (seconds ?? 0) * 1000, departure: () => call.departure })
}
