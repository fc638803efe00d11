/** Runs attacks against real processes of the service; the verdict depends on events, never on a machine's speed. */
import assert from 'node:assert/strict'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { parseUsd } from '../../src/model/money/money.ts'
import { type Fleet, openFleet, worstStallMs } from '../machines/fleet.ts'
import { Customer } from '../../tools/conformance/customer.ts'
import type { TestScope } from '../support/database.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { type Attack, DEADLINE_MS, type Target } from './attack.ts'

/** `seen` is a few words; empty where the attack's run failed. */
export type AttackReport = { name: string; seen: string; failure: Error | null }

export type Targets = {
  /** Returns the process for attacks with such settings. */
  of(attack: Attack): Promise<Target>
  /** Makes the next attack with such settings get a fresh process. */
  replace(attack: Attack): void
}

/**
 * A process is started for each distinct set of settings, when an attack first needs it. Its event loop is watched
 * where `turnMaxMs` says how long a turn of it may take on this machine.
 */
export function openTargets(
  scope: TestScope,
  { turnMaxMs }: { turnMaxMs: number | null },
): Targets {
  const targets = new Map<string, Promise<Target>>()
  return {
    of({ settings = {} }) {
      const name = JSON.stringify(settings)
      const opening = targets.get(name) ?? openTarget(scope, settings, turnMaxMs)
      targets.set(name, opening)
      return opening
    },
    replace: ({ settings = {} }) => void targets.delete(JSON.stringify(settings)),
  }
}

/** Runs attacks one at a time, in order. A process that an attack ended is replaced before the next one. */
export async function* runAttacks(
  scope: TestScope,
  attacks: readonly Attack[],
): AsyncGenerator<AttackReport> {
  const targets = openTargets(scope, { turnMaxMs: null })
  for (const attack of attacks) {
    const target = await targets.of(attack)
    yield await tryAttack(attack, target)
    if (!target.process.isAlive()) targets.replace(attack)
  }
}

export async function tryAttack(attack: Attack, target: Target): Promise<AttackReport> {
  const { name } = attack
  try {
    const seen = await withinDeadline(attack, target)
    assert.ok(target.process.isAlive(), 'the process ended')
    return { name, seen, failure: null }
  } catch (error) {
    return { name, seen: '', failure: error as Error }
  }
}

/** Ends the process of a late attack: requests that still wait fail, and the next attack has a fresh process. */
async function withinDeadline(attack: Attack, target: Target): Promise<string> {
  const { name, deadlineMs = DEADLINE_MS } = attack
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    void target.process.ends('SIGKILL').then(() => {
      late.reject(new Error(`not over within ${deadlineMs / 1000} s: ${name}`))
    })
  }, deadlineMs)
  try {
    return await Promise.race([attack.run(target), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function openTarget(
  scope: TestScope,
  settings: Record<string, string>,
  turnMaxMs: number | null,
): Promise<Target> {
  const isProbed = turnMaxMs !== null
  const fleet: Fleet = await openFleet(scope)
  const process: ServiceProcess = await fleet.start(settings, { isProbed })
  // Sign-in is loaded at its first use, which takes long once and is no work of an attack.
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
    turnMaxMs: turnMaxMs ?? Infinity,
    begins: async () => void (isProbed && (await worstStallMs(process))),
  }
}
