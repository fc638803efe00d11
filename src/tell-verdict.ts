/**
 * The doctor's verdict at the start, in one line for the person at the terminal: whether the platform answers from this
 * address is what they want to know first.
 */
import { isatty } from 'node:tty'
import { lookAtPlatform } from './admin/doctor.ts'
import type { Context } from './context.ts'

const STDERR = 2

/** Whether a start tells the verdict: at a terminal, where this process asks the platform itself. */
export function tellsVerdict({ config }: Context, isAtTerminal = isatty(STDERR)): boolean {
  return isAtTerminal && config.PLATFORM_ORIGIN === null && config.ROLES.has('worker')
}

/**
 * Returns the line, or null where `signal` aborts first. Never throws: a start is worth as much without it. It takes
 * its turns at the routes' pace and rests none.
 */
export async function verdictAtStart(
  context: Context,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { verdict, lines, faults } = await lookAtPlatform(context, signal)
    if (signal.aborted) return null
    const whole = faults.find(({ part }) => part === 'route')
    const said = [lines.at(-1), ...(whole === undefined ? [] : [whole.refused])].join(' ')
    const more = verdict === 'healthy' ? '' : ' `npm run --silent admin -- doctor` says more.'
    return `  Platform  ${said}${more}\n\n`
  } catch (error) {
    context.log.warn({ err: error }, 'the platform could not be examined at the start')
    return null
  }
}
