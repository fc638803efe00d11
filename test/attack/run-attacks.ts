/** Runs attacks against real processes of the service, each watched for stalls of its event loop. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAccountWithKey } from '../../src/accounts/create-account.ts'
import { parseUsd } from '../../src/billing/money.ts'
import { type Fleet, openFleet, worstStallMs } from '../machines/fleet.ts'
import { Customer } from '../../conformance/customer.ts'
import type { TestScope } from '../support/database.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { longestTurnMs } from '../stalls/measure.ts'
import { forgetMails } from './attacks/sign-in-visits.ts'
import { type Attack, DEADLINE_MS, type Target } from './attack.ts'

/** `stallMs`: Infinity where the process ended or stood still for good. */
export type AttackReport = {
  name: string
  seen: string
  stallMs: number
  tookMs: number
  failure: Error | null
}

/**
 * One at a time, in order; a process is started for each distinct set of settings. One that an attack ended
 * is replaced, so that the next attack has something to attack.
 */
export async function* runAttacks(
  scope: TestScope,
  attacks: readonly Attack[],
): AsyncGenerator<AttackReport> {
  const targets = new Map<string, Promise<Target>>()
  for (const attack of attacks) {
    const settings = attack.settings ?? {}
    const name = JSON.stringify(settings)
    const opening = targets.get(name) ?? openTarget(scope, settings)
    targets.set(name, opening)
    let target = await opening
    const startedAt = performance.now()
    let report = await tryAttack(attack, target)
    for (let tries = 1; tries < TRIES_OF_MEASURES && isMeasure(attack, report); tries += 1) {
      forgetMails()
      target = await openTarget(scope, settings)
      targets.set(name, Promise.resolve(target))
      report = await tryAttack(attack, target)
    }
    yield { ...report, tookMs: performance.now() - startedAt }
    if (!target.process.isAlive()) targets.delete(name)
  }
}

/**
 * A busy machine makes whatever is measured longer, never shorter: the best of so many tries is what the code
 * takes, each on a fresh process. What is seen rather than measured is tried once.
 */
const TRIES_OF_MEASURES = 3

function isMeasure(attack: Attack, { failure }: Pick<AttackReport, 'failure'>): boolean {
  return failure !== null && (attack.isMeasured === true || failure instanceof StoodStill)
}

class StoodStill extends Error {}

async function tryAttack(attack: Attack, target: Target): Promise<Omit<AttackReport, 'tookMs'>> {
  const { name } = attack
  await worstStallMs(target.process) // what the start or an earlier attack did does not count
  let stallMs = 0
  try {
    const seen = await withinDeadline(attack, target)
    stallMs = await worstStallMs(target.process)
    assert.ok(target.process.isAlive(), 'the process ended')
    if (stallMs > longestTurnMs())
      throw new StoodStill(`the event loop stood still for ${Math.round(stallMs)} ms`)
    return { name, seen, stallMs, failure: null }
  } catch (error) {
    const lastMs = target.process.isAlive()
      ? await worstStallMs(target.process).catch(() => Infinity)
      : Infinity
    return { name, seen: '', stallMs: Math.max(stallMs, lastMs), failure: error as Error }
  }
}

/** The process of one that is late is ended: what still waits for it fails, and the next attack has a fresh one. */
async function withinDeadline(attack: Attack, target: Target): Promise<string> {
  const { name, deadlineMs = DEADLINE_MS } = attack
  const over = new AbortController()
  const late = sleep(deadlineMs, undefined, { signal: over.signal }).then(async () => {
    await target.process.ends('SIGKILL')
    throw new Error(`not over within ${deadlineMs / 1000} s: ${name}`)
  })
  late.catch(() => undefined) // called off where the attack is over
  try {
    return await Promise.race([attack.run(target), late])
  } finally {
    over.abort()
  }
}

async function openTarget(scope: TestScope, settings: Record<string, string>): Promise<Target> {
  const fleet: Fleet = await openFleet(scope)
  const process: ServiceProcess = await fleet.start(settings, { isProbed: true })
  // Sign-in is loaded at its first use, which takes as long once; that is no work of an attack.
  await fetch(`${process.address}/account/session`, { headers: { cookie: 'nobody=yet' } })
  let made = 0
  return {
    address: process.address,
    origin: settings['PUBLIC_URL'] ?? `http://localhost:${new URL(process.address).port}`,
    process,
    fleet,
    async customer(creditUsd = '10') {
      const email = `customer-${(made += 1)}@example.org`
      const micros = parseUsd(creditUsd) ?? 0n
      return new Customer({
        address: process.address,
        ...(await createAccountWithKey(fleet.database.db, { email, micros })),
      })
    },
  }
}
