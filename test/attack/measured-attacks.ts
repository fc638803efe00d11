/** Runs attacks as `npm run attack` and the night do: each process is watched for stalls of its event loop, too. */
import { worstStallMs } from '../machines/fleet.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import type { TestScope } from '../support/database.ts'
import type { Attack, Target } from './attack.ts'
import { forgetMails } from './attacks/sign-in-visits.ts'
import { type AttackReport, openTargets, tryAttack } from './run-attacks.ts'

/** `stallMs`: Infinity where the process ended or stood still for good. */
export type MeasuredReport = AttackReport & { stallMs: number; tookMs: number }

/**
 * A busy machine makes whatever is measured longer, never shorter: the best of so many tries is what the code
 * takes, each on a fresh process. What is seen rather than measured is tried once.
 */
const TRIES_OF_MEASURES = 3

export async function* runMeasured(
  scope: TestScope,
  attacks: readonly Attack[],
): AsyncGenerator<MeasuredReport> {
  const targets = openTargets(scope, { isProbed: true })
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
  await target.begins() // what the start or an earlier attack did does not count
  const report = await tryAttack(attack, target)
  const stallMs = target.process.isAlive()
    ? await worstStallMs(target.process).catch(() => Infinity)
    : Infinity
  if (report.failure !== null || stallMs <= longestTurnMs()) return { ...report, stallMs }
  const failure = new StoodStill(`the event loop stood still for ${Math.round(stallMs)} ms`)
  return { ...report, seen: '', stallMs, failure }
}
