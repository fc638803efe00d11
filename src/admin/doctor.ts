/** The doctor's examination, for the command and for the console's button; noted in the log of acts. */
import type { DatabaseContext } from '../context.ts'
import { noteCheck } from '../features/operator/acts.ts'
import { examiningBudget } from '../platform/egress/examining-budget.ts'
import { type Examination, examinePlatform } from '../platform/youtube/doctor.ts'
import { openParts } from '../platform/youtube/open-platform.ts'
import { platformOptions, readPlatformSettings } from '../platform/youtube/settings.ts'

/** Time for the doctor's whole examination, over every route and client. */
const DOCTOR_MS = 300_000

/** Examines the platform with real requests; takes up to DOCTOR_MS. */
export async function runDoctor(
  ctx: DatabaseContext,
  { channel, actor }: { channel: string | null; actor: string },
): Promise<Examination> {
  const options = platformOptions(ctx, await readPlatformSettings(ctx.config))
  // The examination has parts of its own: what they meet stays here.
  const parts = openParts({ ...options, budget: examiningBudget(options.budget) })
  try {
    const signal = AbortSignal.timeout(DOCTOR_MS)
    const found = await examinePlatform(parts, { channel, signal })
    const detail = [found.verdict, ...found.lines].join('\n')
    await noteCheck(ctx.db, { act: 'run_doctor', actor, detail })
    return found
  } finally {
    await Promise.all([parts.routePool.close(), parts.context.longReader.close()])
  }
}
