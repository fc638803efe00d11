/** The doctor's examination, for the command and for the console's button; noted in the log of acts. */
import type { DatabaseContext } from '../context.ts'
import { noteCheck } from '../features/operator/acts.ts'
import type { OnExchange } from '../platform/egress/connections.ts'
import { examiningBudget } from '../platform/egress/examining-budget.ts'
import {
  type ExaminedRoute,
  type Health,
  isDelivering,
  isWorking,
} from '../platform/youtube/doctor-report.ts'
import { type Examination, examinePlatform } from '../platform/youtube/doctor.ts'
import { openParts } from '../platform/youtube/open-platform.ts'
import { platformOptions, readPlatformSettings } from '../platform/youtube/settings.ts'
import { actorOf } from './account-commands.ts'
import type { Command } from './command.ts'
import { recordedIn } from './doctor-recording.ts'

/** Time for the doctor's whole examination, over every route and client. */
const DOCTOR_MS = 300_000

type Examining = { channel: string | null; actor: string; onExchange?: OnExchange | null }

/** Examines the platform with real requests; takes up to DOCTOR_MS. */
export async function runDoctor(
  ctx: DatabaseContext,
  { channel, actor, onExchange = null }: Examining,
): Promise<Examination> {
  const options = { ...platformOptions(ctx, await readPlatformSettings(ctx.config)), onExchange }
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

/** Presents the examination of a route; docs/operating/doctor.md describes the shape. */
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
      withMask: part.withMask?.word ?? null,
      withoutMask: part.withoutMask.word,
      words: part.words?.word ?? null,
    })),
  }
}

const EXIT_CODES: Record<Health, number> = { healthy: 0, down: 1, degraded: 2, limited: 3 }

export const doctorCommand: Command = {
  usage: 'doctor [--channel @handle] [--record DIR] [--by NAME] [--json]',
  about:
    'tries the platform through every route and client profile, and says what works; exit code 0 if everything does, 3 if all but known limits does, 2 if a part does not, 1 if nothing delivers',
  async run(ctx, input) {
    const given = input.optional('channel')
    const channel = given === null ? null : `/${given.replace(/^\//, '')}`
    const { result: found, lines: told } = await recordedIn(
      input.optional('record'),
      (onExchange) => runDoctor(ctx, { channel, actor: actorOf(input), onExchange }),
    )
    const lines = [...found.lines, ...told]
    const value = { ...found, routes: found.routes.map(presentRoute), lines }
    return { exitCode: EXIT_CODES[found.verdict], value, lines }
  },
}
