/** The context that the surfaces share: everything that the process has opened, as `open-context.ts` hands it on. */
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config/config.ts'
import type { FirstRun } from './features/accounts/first-run.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Outbox } from './features/mail/outbox.ts'
import type { SecretBox } from './features/mail/secret-box.ts'
import type { ProcessTextReader } from './features/transcripts/read-stored.ts'
import type { TextStore } from './features/transcripts/text-store.ts'
import type { Failovers } from './features/operator/failovers.ts'
import type { UsageMeter } from './features/operator/usage-meter.ts'
import type { RouteBudget } from './model/platform/route-budget.ts'
import type { DriftWatch } from './platform/drift/drift-watch.ts'
import type { FirstSteps } from './kit/first-steps.ts'
import type { Servers } from './kit/postgres/servers.ts'
import type { Db } from './store/database.ts'
import type { Readiness } from './store/readiness.ts'
import type { Signals } from './store/signals.ts'

/** The part that every command opens: the database alone. */
export type DatabaseContext = {
  config: Config
  db: Db
  pool: pg.Pool
  /** Writes forms of transcripts for readers; it has a thread for the very long ones. */
  textReader: ProcessTextReader
  /** Where texts lie that moved out of the database; null without TEXT_STORE. */
  textStore: TextStore | null
  databaseUrl: string
  /** The way to the database's servers; it fences those of an external database. */
  servers: Servers
  signals: Signals
  failovers: Failovers
  /** The budget of each egress route, shared by all processes. */
  budget: RouteBudget
  log: Logger
  now: () => Date
  /** Starts the embedded database again where it is gone; does nothing for an external one. */
  reviveDatabase(): Promise<void>
  close(): Promise<void>
}

export type Context = DatabaseContext & {
  /** Seals secrets that the database stores. */
  box: SecretBox
  /** Emails that are to be sent. */
  outbox: Outbox
  /** Makes the first account; null where this process never does. */
  firstRun: FirstRun | null
  metrics: Metrics
  usage: UsageMeter
  /** The drift watch over this process's own visits; it sees none without the role worker. */
  watch: DriftWatch
  /** Tells whether the process can serve, and what is missing. */
  readiness: Readiness
  /** The line in which the background work of the process takes its first steps. */
  firstSteps: FirstSteps
  /** Aborted when the process begins to stop: it is not ready any more, but still answers. */
  stopping: AbortController
}
