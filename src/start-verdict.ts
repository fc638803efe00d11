/** The doctor's verdict in one line, which `npm start` prints on a terminal while the service is already at work. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config/config.ts'
import { commandLine } from './admin/command.ts'
import { examineQuietly, type ExaminingContext } from './admin/doctor.ts'
import type { Examination } from './platform/youtube/doctor.ts'

/** Time that a stop gives the examination to end. */
const END_MS = 1_000
const MORE = commandLine('doctor')

/** Whether a start tells how the platform is: to people, of the platform itself, and by a process that asks it. */
export function tellsVerdict(
  { PLATFORM_ORIGIN: origin, ROLES: roles }: Config,
  isTerminal: boolean,
): boolean {
  return isTerminal && origin === null && roles.has('worker')
}

/**
 * Examines the platform in the background and prints a line; prints none where it is ended first, or fails. Returns a
 * function that ends it within END_MS.
 */
export function startVerdict(
  context: ExaminingContext,
  print: (line: string) => void,
): () => Promise<void> {
  const ending = new AbortController()
  const work = examineQuietly(context, ending.signal).then(
    (found) => {
      if (!ending.signal.aborted) print(`  Platform  ${sentenceOfStart(found)}\n\n`)
    },
    (error: unknown) => {
      if (!ending.signal.aborted)
        context.log.warn({ err: error }, 'the platform could not be examined at the start')
    },
  )
  return async () => {
    ending.abort()
    // What still waits for its turn at the shared pace fails where the database closes, and nobody hears of it.
    await Promise.race([work, sleep(END_MS, undefined, { ref: false })])
  }
}

function sentenceOfStart({ verdict, faults, lines }: Examination): string {
  const fault = faults.find(({ part }) => part === 'route') ?? faults[0]
  const told =
    verdict === 'down' && fault !== undefined
      ? `down: ${begun(fault.refused)}`
      : begun(lines.at(-1) ?? '')
  return verdict === 'healthy' ? told : `${told}; ${MORE} says more`
}

/** Returns the sentence as a part of another one. */
function begun(sentence: string): string {
  return `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`
}
