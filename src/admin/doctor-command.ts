/** `admin doctor`: examines the platform and presents what was found; docs/operating/doctor.md describes it. */
import {
  type ExaminedRoute,
  type Health,
  isDelivering,
  isWorking,
} from '../platform/youtube/doctor-report.ts'
import { actorOf } from './account-commands.ts'
import type { Command } from './command.ts'
import { runDoctor } from './doctor.ts'

/** Presents the examination of a route. */
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
  usage: 'doctor [--channel @handle] [--by NAME] [--json]',
  about:
    'tries the platform through every route and client profile, and says what works; exit code 0 if everything does, 3 if all but known limits does, 2 if a part does not, 1 if nothing delivers',
  async run(ctx, input) {
    const given = input.optional('channel')
    const channel = given === null ? null : `/${given.replace(/^\//, '')}`
    const found = await runDoctor(ctx, { channel, actor: actorOf(input) })
    const value = { ...found, routes: found.routes.map(presentRoute) }
    return { exitCode: EXIT_CODES[found.verdict], value, lines: found.lines }
  },
}
