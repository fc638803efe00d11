/** The doctor's examination, for the command and for the console's button; noted in the log of acts. */
import type { DatabaseContext } from '../context.ts'
import { noteCheck } from '../features/operator/note-check.ts'
import {
  type ExaminedRoute,
  isDelivering,
  isWorking,
  wordOf,
} from '../platform/youtube/doctor-report.ts'
import { type Examination, examinePlatform } from '../platform/youtube/doctor.ts'
import { examiningBudget } from '../platform/egress/examining-budget.ts'
import { openParts } from '../platform/youtube/open-platform.ts'
import { platformOptions, readPlatformSettings } from '../platform/youtube/settings.ts'

/** The doctor's whole examination, over every route and client. */
const DOCTOR_MS = 300_000

/** Asks the platform for real; takes up to DOCTOR_MS. */
export async function runDoctor(
  ctx: DatabaseContext,
  { channel, actor }: { channel: string | null; actor: string },
): Promise<Examination> {
  const options = platformOptions(ctx, await readPlatformSettings(ctx.config))
  // Parts of its own: what they meet stays here.
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

/** The shape is described in docs/operating/doctor.md. */
export function presentExamination(found: Examination) {
  const { verdict, origin, channel, routes, faults, lines } = found
  return { verdict, origin, channel, routes: routes.map(presentRoute), faults, lines }
}

function presentRoute(examined: ExaminedRoute) {
  const { route, via, stopped, parts } = examined
  return {
    route,
    via,
    isDelivering: isDelivering(examined),
    stopped: stopped?.text ?? null,
    parts: parts.map((part) => ({
      part: part.part,
      client: part.client,
      version: part.version,
      isWorking: isWorking(part),
      withMask: part.withMask === null ? null : wordOf(part.withMask),
      withoutMask: wordOf(part.withoutMask),
      words: part.words === null ? null : wordOf(part.words),
    })),
  }
}
