/** An attack: one way to take the service down, take it over or work it for free, tried for real. */
import type { Fleet } from '../machines/fleet.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import type { Customer } from '../../tools/conformance/customer.ts'

/** Deadline of an attack without one of its own. */
export const DEADLINE_MS = 180_000

/**
 * Classes of attacks, by their aim: the gate tries at least one of each in the file of that name. Attacks of the night
 * flood, crowd or measure, and need a machine of their own.
 */
export const CLASSES = {
  input: [
    'headers',
    'lines',
    'captions',
    'replies',
    'unstorable text',
    'two readings',
    'planted links',
    'controls of terminals',
  ],
  accounts: [
    'addresses',
    'sessions',
    'guesses',
    'made-up tokens',
    'hidden routes',
    'odd fields',
    'apps',
    'forged requests',
    'redirects',
    'trials',
  ],
  money: ['payment events', 'money races', 'free work', 'suspended accounts', 'foreign reads'],
  process: ['endless requests', 'metrics', 'keys', 'neighbours'],
  night: ['crowds', 'floods', 'times', 'large customers'],
} as const

export type AttackClass = (typeof CLASSES)[keyof typeof CLASSES][number]

export type Attack = {
  /** The attempt in one phrase without a full stop: "a Content-Type of 16 KB of blanks". */
  name: string
  class: AttackClass
  /** True where the gate tries it: the verdict depends on events alone, on any machine, and comes within seconds. */
  isInGate?: true
  /** Settings of the service beyond the defaults; attacks with equal settings share one process. */
  settings?: Record<string, string>
  /** True where times are compared: the attack is repeated, since a busy machine may have spoilt them. */
  isMeasured?: boolean
  /** An attack that is not over by then has succeeded: it made something wait for ever. */
  deadlineMs?: number
  /** Tries the attack. Throws where it succeeds; returns what was seen instead, in a few words. */
  run(target: Target): Promise<string>
}

export type Target = {
  /** Address of the API: `http://127.0.0.1:PORT`. */
  address: string
  /** Origin of the site's own pages: the only `Origin` that the account API answers. */
  origin: string
  /** The attacked process itself: its log, its signals. */
  process: ServiceProcess
  fleet: Fleet
  /** A new account with one key. */
  customer(creditUsd?: string): Promise<Customer>
  /** How long a turn of the event loop may take on this machine; Infinity where turns are not measured. */
  turnMaxMs: number
  /** Marks the beginning of the attack: where stalls of the event loop are measured, earlier ones do not count. */
  begins(): Promise<void>
}
