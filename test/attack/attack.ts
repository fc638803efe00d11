/** An attack: one way to take the service down, take it over or work it for free, tried for real. */
import type { Fleet } from '../machines/fleet.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import type { Customer } from '../../conformance/customer.ts'

/** Of an attack that has no deadline of its own. */
export const DEADLINE_MS = 180_000

/**
 * Classes of attacks, by what they go for: the gate tries at least one of each in the file of that name. Those of the
 * night flood, crowd or measure, which needs a machine of their own.
 */
export const CLASSES = {
  input: ['headers', 'lines', 'captions', 'replies', 'unstorable text', 'two readings'],
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
  night: ['crowds', 'floods', 'times'],
} as const

export type AttackClass = (typeof CLASSES)[keyof typeof CLASSES][number]

export type Attack = {
  /** What is tried, in one sentence without a full stop: "a Content-Type of 16 KB of blanks". */
  name: string
  class: AttackClass
  /** Whether the gate tries it: its verdict is what was done, on any machine, and it takes seconds at most. */
  isInGate?: true
  /** Settings of the service beyond the defaults; attacks with equal settings share one process. */
  settings?: Record<string, string>
  /** Judged by times beside each other: repeated where a busy machine may have spoilt them. */
  isMeasured?: boolean
  /** An attack that is not over by then has succeeded: it made something wait for ever. */
  deadlineMs?: number
  /** Tries it. Throws where the attack succeeds; returns what was seen instead, in a few words. */
  run(target: Target): Promise<string>
}

export type Target = {
  /** Of the API: `http://127.0.0.1:PORT`. */
  address: string
  /** Of its own pages: the only `Origin` that the account API answers. */
  origin: string
  /** The attacked process itself: its log, its signals. */
  process: ServiceProcess
  fleet: Fleet
  /** A new account with one key. */
  customer(creditUsd?: string): Promise<Customer>
  /** What was done so far was no part of the attack: stalls of the event loop do not count where they are measured. */
  begins(): Promise<void>
}
