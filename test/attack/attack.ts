/** An attack: one way to take the service down, take it over or work it for free, tried for real. */
import type { Fleet } from '../machines/fleet.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import type { Customer } from '../../conformance/customer.ts'

/** Of an attack that has no deadline of its own. */
export const DEADLINE_MS = 180_000

export type Attack = {
  /** What is tried, in one sentence without a full stop: "a Content-Type of 16 KB of blanks". */
  name: string
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
}
