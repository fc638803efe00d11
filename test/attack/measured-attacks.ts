/** Runs attacks as `npm run attack` and the night do: each process is also watched for stalls of its event loop. */
import { worstStallMs } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import type { TestScope } from '../support/database.ts'
import type { Attack, Target } from './attack.ts'
import { forgetMails } from './attacks/sign-in-visits.ts'
import { type AttackReport, openTargets, tryAttack } from './run-attacks.ts'

/** `stallMs` is Infinity where the process ended or stood still for good. */
export type MeasuredReport = AttackReport & { stallMs: number; tookMs: number }

/**
 * A busy machine makes a measured time longer, never shorter: the best of this many tries, each on a fresh process, is
 * what the code takes. An attack without a measured time is tried once.
 */
const TRIES_OF_MEASURES = 3

export async function* runMeasured(
  scope: TestScope,
  attacks: readonly Attack[],
): AsyncGenerator<MeasuredReport> {
  const targets = openTargets(scope, { turnMaxMs: longestTurnMs() })
  for (const attack of attacks) {
    const startedAt = performance.now()
    let target = await targets.of(attack)
    let report = await measure(attack, target)
    for (let tries = 1; tries < TRIES_OF_MEASURES && isMeasure(attack, report); tries += 1) {
      forgetMails()
      targets.replace(attack)
      target = await targets.of(attack)
      report = await measure(attack, target)
    }
    yield { ...report, tookMs: performance.now() - startedAt }
    if (!target.process.isAlive()) targets.replace(attack)
  }
}

function isMeasure(attack: Attack, { failure }: Pick<AttackReport, 'failure'>): boolean {
  return failure !== null && (attack.isMeasured === true || failure instanceof StoodStill)
}

class StoodStill extends Error {}

async function measure(attack: Attack, target: Target): Promise<Omit<MeasuredReport, 'tookMs'>> {
  await target.begins() // stalls of the start or of an earlier attack do not count
  const report = await tryAttack(attack, target)
  const stallMs = target.process.isAlive()
    ? await worstStallMs(target.process).catch(() => Infinity)
    : Infinity
  if (report.failure !== null || stallMs <= longestTurnMs()) return { ...report, stallMs }
  const failure = new StoodStill(`the event loop stood still for ${Math.round(stallMs)} ms`)
  return { ...report, seen: '', stallMs, failure }
}
