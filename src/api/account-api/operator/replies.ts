/** What the console's addresses and the status page answer, by name; api/account-api/replies.ts has the others. */
import { Type } from 'typebox'
import { closedObject, nullable, wordOf } from '../../contract.ts'
import { COST_COLUMNS } from '../../../features/operator/storage.ts'
import { INCIDENT_KINDS } from '../../../features/operator/service.ts'
import { JOB_STATES } from '../../../model/jobs/job.ts'
import { CANARY_VERDICTS } from '../../../model/operator/canary.ts'

/** An instant, which JSON has as text and our records as a Date. */
export const Instant = Type.Unsafe<Date>(Type.String({ format: 'date-time' }))
export const Dollars = Type.String({ description: 'USD as a plain decimal' })
export const Count = Type.Integer({ minimum: 0 })
const Amount = Type.Number({ minimum: 0 })
export const Text = Type.String()

const outcomes = { delivered: Amount, answered: Amount, blocked: Amount, failed: Amount }

const Incident = closedObject({
  kind: wordOf(INCIDENT_KINDS),
  beganAt: Instant,
  endedAt: nullable(Instant, 'Null while it goes on'),
})

const Canary = closedObject({
  verdict: wordOf(CANARY_VERDICTS),
  since: Instant,
  checkedAt: Instant,
  failing: Type.Array(closedObject({ name: Text, sentence: Text })),
  detail: nullable(Text),
})

export const SpentDay = closedObject({ day: Text, transcripts: Count, charged: Dollars })

const accountFields = {
  accountId: Text,
  email: Text,
  createdAt: Instant,
  state: wordOf(['active', 'suspended', 'deleted']),
  available: Dollars,
  held: Dollars,
  charged: Dollars,
  jobs: Count,
  lastUsedAt: nullable(Instant),
  days: Type.Array(SpentDay, { description: 'The last 30 days (UTC), in order' }),
}
const OperatorAccount = closedObject(accountFields)

const Act = closedObject({
  act: Text,
  jobId: nullable(Text),
  by: Text,
  reason: nullable(Text),
  detail: nullable(Text),
  at: Instant,
})

const LoggedOperatorAct = closedObject({
  id: Count,
  act: Text,
  at: Instant,
  by: Text,
  accountId: nullable(Text),
  email: nullable(Text),
  jobId: nullable(Text),
  reason: nullable(Text),
  detail: nullable(Text),
})

const OperatorJob = closedObject({
  jobId: Text,
  accountId: Text,
  email: Text,
  title: Text,
  state: wordOf(JOB_STATES),
  createdAt: Instant,
  startedAt: nullable(Instant),
  finishedAt: nullable(Instant),
  urls: Type.Array(Text, { description: 'The lines; in a list the first three' }),
  lines: Count,
  maxVideos: Count,
  processed: Count,
  delivered: Count,
  reserved: Dollars,
  charged: nullable(Dollars),
  error: nullable(Text),
  waiting: nullable(Text, 'Why it waits; null where it does not'),
})

const usage = { calls: Amount, receivedBytes: Amount, cpuSeconds: Amount, storedBytes: Amount }

const page = { offset: Count, limit: Count, nextOffset: nullable(Count, 'Null on the last page') }

const OperatorSetting = closedObject({
  name: Text,
  about: Text,
  isSecret: Type.Boolean(),
  isSet: Type.Boolean(),
  value: nullable(Text, 'Null for a secret, and where nothing is set'),
})

export const OPERATOR_REPLIES = {
  Incident,
  ServiceStatus: closedObject({
    readAt: Instant,
    days: Type.Array(
      closedObject({
        day: Type.String({ format: 'date' }),
        ...outcomes,
        waitMs: nullable(Amount, 'Median wait of a job before it started'),
        videoMs: nullable(Amount, 'Median time of a job for each of its videos'),
      }),
    ),
    incidents: Type.Array(Incident),
  }),
  OperatorClearance: closedObject({
    isEnrolled: Type.Boolean({ description: 'Whether there is a second factor' }),
    isProven: Type.Boolean({ description: 'Whether this session showed it' }),
  }),
  NewFactor: closedObject({
    secret: Text,
    uri: Type.String({ description: 'For an authenticator app' }),
  }),
  OperatorHealth: closedObject({
    jobs: Type.Array(closedObject({ state: Text, count: Count })),
    oldestQueuedSeconds: Amount,
    suspendedAccounts: Count,
    deliveries: closedObject({ oldestDueSeconds: Amount, pending: Count, failingWebhooks: Count }),
    looksDueSeconds: Amount,
    hours: Type.Array(closedObject({ at: Instant, ...outcomes })),
    routes: Type.Array(
      closedObject({
        name: Text,
        ratePerMinute: Amount,
        restsUntil: nullable(Instant, 'Null: it may be used'),
        blocks: Count,
        deliveredAt: nullable(Instant),
        captionsPerDay: nullable(Count, 'Null: no bound'),
        captionsCame: Count,
        roomAt: nullable(Instant, 'Null: its day has room'),
      }),
    ),
    verdicts: Type.Array(
      closedObject({
        part: Text,
        verdict: Type.String({ description: 'Empty: all answers of the part' }),
        answers: Amount,
        hours: Type.Array(Amount, {
          description: 'Amounts by hour, as in `hours` of the answer',
        }),
      }),
    ),
    canary: nullable(Canary, 'Null where none is kept, or none has ended yet'),
    lost: Type.Array(Text, {
      description: 'Database hosts that are not used, and what failovers lost that nobody accepted',
    }),
    incidents: Type.Array(Incident),
    clients: Type.Array(
      closedObject({
        name: Text,
        version: Text,
        use: Text,
        userAgent: Text,
        retiredAt: nullable(Instant),
      }),
    ),
    drifts: nullable(
      Type.Array(Text),
      'Null where the process that answers has no worker, so sees nothing of the platform',
    ),
  }),
  OperatorAccounts: closedObject({ total: Count, ...page, accounts: Type.Array(OperatorAccount) }),
  OperatorAccountDetails: closedObject({
    ...accountFields,
    users: Type.Array(Text, { description: 'Who signs in to it, and how' }),
    keys: Type.Array(closedObject({ name: Text, prefix: Text, revokedAt: nullable(Instant) })),
    openJobs: Type.Array(OperatorJob),
    acts: Type.Array(Act),
    today: closedObject(usage),
    last30Days: closedObject(usage),
  }),
  OperatorJobs: closedObject({
    ...page,
    jobs: Type.Array(OperatorJob),
    days: Type.Array(closedObject({ day: Text, ...outcomes }), {
      description: 'All videos of the last 30 days (UTC), in order',
    }),
  }),
  OperatorJob,
  OperatorCosts: closedObject({
    days: Count,
    by: wordOf(COST_COLUMNS),
    costs: Type.Array(closedObject({ accountId: Text, email: Text, ...usage, charged: Dollars })),
  }),
  LoggedOperatorAct,
  OperatorChecks: closedObject({
    ledger: nullable(LoggedOperatorAct, 'The latest verification; null: never'),
    doctor: nullable(LoggedOperatorAct, 'The latest examination; null: never'),
  }),
  OperatorDeliveries: closedObject({
    hours: Type.Array(
      closedObject({ at: Instant, delivered: Amount, waiting: Amount, failing: Amount }),
    ),
    webhooks: Type.Array(
      closedObject({
        webhookId: Text,
        accountId: Text,
        email: Text,
        url: nullable(Text, 'Without path and query; null: mails'),
        failingSince: nullable(Instant),
        disabledAt: nullable(Instant),
        disabledBecause: nullable(Text),
        pending: Count,
        outcome: nullable(Text),
        status: nullable(Type.Integer()),
        error: nullable(Text),
      }),
    ),
  }),
  OperatorStorage: closedObject({
    databaseBytes: Amount,
    tables: Type.Array(
      closedObject({
        name: Text,
        bytes: Amount,
        indexBytes: Amount,
        toastBytes: Amount,
        rows: Amount,
      }),
    ),
    accounts: Type.Array(closedObject({ accountId: Text, email: Text, textBytes: Amount })),
    growth: Type.Array(closedObject({ day: Text, storedBytes: Amount })),
    backups: closedObject({
      folder: nullable(Text, 'Null where BACKUP_DIR is not set'),
      problem: nullable(Text, 'Why the folder could not be read'),
      files: Type.Array(
        closedObject({
          file: Text,
          createdAt: Instant,
          removeBy: Instant,
          isDue: Type.Boolean({ description: 'Whether it is older than BACKUP_DAYS' }),
          deletedAccounts: Count,
        }),
      ),
    }),
  }),
  OperatorSettings: closedObject({ settings: Type.Array(OperatorSetting) }),
  OperatorLog: closedObject({
    acts: Type.Array(LoggedOperatorAct),
    nextBefore: nullable(Count, 'Null on the last page'),
  }),
} as const
