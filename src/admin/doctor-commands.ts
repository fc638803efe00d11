/** `admin doctor`: which client profiles the platform refuses and which routes it blocks. */
import { LIMITS } from '../config.ts'
import { examinePlatform } from '../platform/doctor.ts'
import { openParts } from '../platform/open-platform.ts'
import { platformOptions, readPlatformSettings } from '../platform-context.ts'
import type { Command } from './command.ts'

export const doctorCommand: Command = {
  usage: 'doctor [--channel @handle] [--json]',
  about: 'tries the platform through every route and client profile, and says what works',
  options: ['channel'],
  words: 0,
  async run(ctx, input) {
    const given = input.optional('channel')
    const channel = given === null ? null : `/${given.replace(/^\//, '')}`
    const parts = openParts(platformOptions(ctx, await readPlatformSettings(ctx.config)))
    try {
      const report = await examinePlatform(parts, {
        channel,
        signal: AbortSignal.timeout(LIMITS.doctorMs),
      })
      return { ok: report.isHealthy, value: report, lines: report.lines }
    } finally {
      await parts.routePool.close()
    }
  },
}
