/** `admin doctor`: which client profiles the platform refuses on which routes, and the setting that mends it. */
import type { Health } from '../platform/youtube/doctor-report.ts'
import { actorOf } from './account-commands.ts'
import type { Command } from './command.ts'
import { presentExamination, runDoctor } from './run-doctor.ts'

const EXIT_CODES: Record<Health, number> = { healthy: 0, degraded: 2, down: 1 }

export const doctorCommand: Command = {
  usage: 'doctor [--channel @handle] [--by NAME] [--json]',
  about:
    'tries the platform through every route and client profile, and says what works; exit code 0 if everything does, 2 if a part does not, 1 if nothing delivers',
  options: ['channel', 'by'],
  words: 0,
  async run(ctx, input) {
    const given = input.optional('channel')
    const channel = given === null ? null : `/${given.replace(/^\//, '')}`
    const found = await runDoctor(ctx, { channel, actor: actorOf(input) })
    const exitCode = EXIT_CODES[found.verdict]
    return { ok: exitCode === 0, exitCode, value: presentExamination(found), lines: found.lines }
  },
}
