/** What the console's addresses and the status page answer, by name; api/account-api/replies.ts has the others. */
import { Type } from 'typebox'
import { nullable } from '../../contract.ts'
import { COST_COLUMNS } from '../../../features/operator/storage.ts'
import { INCIDENT_KINDS } from '../../../features/operator/service.ts'

const closed = { additionalProperties: false }
const Instant = Type.String({ format: 'date-time' })
const Usd = Type.String({ description: 'USD as a plain decimal' })
const Count = Type.Integer({ minimum: 0 })
const Amount = Type.Number({ minimum: 0 })
const Text = Type.String()

const outcomes = { delivered: Amount, answered: Amount, blocked: Amount, failed: Amount }

const Incident = Type.Object(
  {
    kind: Type.Enum([...INCIDENT_KINDS], { type: 'string' }),
    beganAt: Instant,
    endedAt: nullable(Instant, 'Null while it goes on'),
  },
  closed,
)

const ServiceStatus = Type.Object(
  {
    readAt: Instant,
    days: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date' }),
          ...outcomes,
          waitMs: nullable(Amount, 'Median wait of a job before it started'),
          videoMs: nullable(Amount, 'Median time of a job for each of its videos'),
        },
        closed,
      ),
    ),
    incidents: Type.Array(Incident),
  },
  closed,
)

const OperatorClearance = Type.Object(
  {
    isEnrolled: Type.Boolean({ description: 'Whether there is a second factor' }),
    isProven: Type.Boolean({ description: 'Whether this session showed it' }),
  },
  closed,
)

const NewFactor = Type.Object(
  { secret: Text, uri: Type.String({ description: 'For an authenticator app' }) },
  closed,
)

const OperatorHealth = Type.Object(
  {
    jobs: Type.Array(Type.Object({ state: Text, count: Count }, closed)),
    oldestQueuedSeconds: Amount,
    suspendedAccounts: Count,
    deliveries: Type.Object(
      { oldestDueSeconds: Amount, pending: Count, failingWebhooks: Count },
      closed,
    ),
    looksDueSeconds: Amount,
    hours: Type.Array(Type.Object({ at: Instant, ...outcomes }, closed)),
    routes: Type.Array(
      Type.Object(
        {
          name: Text,
          ratePerMinute: Amount,
          restsUntil: nullable(Instant, 'Null: it may be used'),
          blocks: Count,
          deliveredAt: nullable(Instant),
        },
        closed,
      ),
    ),
    verdicts: Type.Array(
      Type.Object(
        {
          part: Text,
          verdict: Type.String({ description: 'Empty: all answers of the part' }),
          answers: Amount,
          hours: Type.Array(Amount, {
            description: 'Amounts by hour, as in `hours` of the answer',
          }),
        },
        closed,
      ),
    ),
    incidents: Type.Array(Incident),
    clients: Type.Array(
      Type.Object(
        {
          name: Text,
          version: Text,
          use: Text,
          userAgent: Text,
          retiredAt: nullable(Instant),
        },
        closed,
      ),
    ),
    drifts: nullable(
      Type.Array(Text),
      'Null where the process that answers has no worker, so sees nothing of the platform',
    ),
  },
  closed,
)

const accountFields = {
  accountId: Text,
  email: Text,
  createdAt: Instant,
  state: Type.Enum(['active', 'suspended', 'deleted'], { type: 'string' }),
  available: Usd,
  held: Usd,
  charged: Usd,
  jobs: Count,
  lastUsedAt: nullable(Instant),
}
const OperatorAccount = Type.Object(accountFields, closed)

const Act = Type.Object(
  {
    act: Text,
    jobId: nullable(Text),
    by: Text,
    reason: nullable(Text),
    detail: nullable(Text),
    at: Instant,
  },
  closed,
)

const LoggedOperatorAct = Type.Object(
  {
    id: Count,
    act: Text,
    at: Instant,
    by: Text,
    accountId: nullable(Text),
    email: nullable(Text),
    jobId: nullable(Text),
    reason: nullable(Text),
    detail: nullable(Text),
  },
  closed,
)

const OperatorJob = Type.Object(
  {
    jobId: Text,
    accountId: Text,
    email: Text,
    state: Text,
    createdAt: Instant,
    startedAt: nullable(Instant),
    finishedAt: nullable(Instant),
    urls: Type.Array(Text),
    maxVideos: Count,
    processed: Count,
    delivered: Count,
    reserved: Usd,
    charged: nullable(Usd),
    error: nullable(Text),
    waiting: nullable(Text, 'Why it waits; null where it does not'),
  },
  closed,
)

const usage = { calls: Amount, receivedBytes: Amount, cpuSeconds: Amount, storedBytes: Amount }

const OperatorAccountDetails = Type.Object(
  {
    ...accountFields,
    users: Type.Array(Text, { description: 'Who signs in to it, and how' }),
    keys: Type.Array(
      Type.Object({ name: Text, prefix: Text, revokedAt: nullable(Instant) }, closed),
    ),
    openJobs: Type.Array(OperatorJob),
    acts: Type.Array(Act),
    today: Type.Object(usage, closed),
    last30Days: Type.Object(usage, closed),
  },
  closed,
)

const page = { offset: Count, limit: Count, nextOffset: nullable(Count, 'Null on the last page') }

const OperatorSetting = Type.Object(
  {
    name: Text,
    about: Text,
    isSecret: Type.Boolean(),
    isSet: Type.Boolean(),
    value: nullable(Text, 'Null for a secret, and where nothing is set'),
  },
  closed,
)

export const OPERATOR_REPLIES = {
  ServiceStatus,
  OperatorClearance,
  NewFactor,
  OperatorHealth,
  OperatorAccounts: Type.Object(
    { total: Count, ...page, accounts: Type.Array(OperatorAccount) },
    closed,
  ),
  OperatorAccountDetails,
  OperatorJobs: Type.Object({ ...page, jobs: Type.Array(OperatorJob) }, closed),
  OperatorJob,
  OperatorCosts: Type.Object(
    {
      days: Count,
      by: Type.Enum([...COST_COLUMNS], { type: 'string' }),
      costs: Type.Array(
        Type.Object({ accountId: Text, email: Text, ...usage, charged: Usd }, closed),
      ),
    },
    closed,
  ),
  OperatorChecks: Type.Object(
    {
      ledger: nullable(LoggedOperatorAct, 'The latest verification; null: never'),
      doctor: nullable(LoggedOperatorAct, 'The latest examination; null: never'),
    },
    closed,
  ),
  OperatorDeliveries: Type.Object(
    {
      webhooks: Type.Array(
        Type.Object(
          {
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
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  OperatorStorage: Type.Object(
    {
      databaseBytes: Amount,
      tables: Type.Array(
        Type.Object(
          { name: Text, bytes: Amount, indexBytes: Amount, toastBytes: Amount, rows: Amount },
          closed,
        ),
      ),
      accounts: Type.Array(
        Type.Object({ accountId: Text, email: Text, textBytes: Amount }, closed),
      ),
      growth: Type.Array(Type.Object({ day: Text, storedBytes: Amount }, closed)),
      backups: Type.Object(
        {
          folder: nullable(Text, 'Null where BACKUP_DIR is not set'),
          problem: nullable(Text, 'Why the folder could not be read'),
          files: Type.Array(
            Type.Object(
              {
                file: Text,
                createdAt: Instant,
                removeBy: Instant,
                isDue: Type.Boolean({ description: 'Whether it is older than BACKUP_DAYS' }),
                deletedAccounts: Count,
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    },
    closed,
  ),
  OperatorSettings: Type.Object({ settings: Type.Array(OperatorSetting) }, closed),
  OperatorLog: Type.Object(
    { acts: Type.Array(LoggedOperatorAct), nextBefore: nullable(Count, 'Null on the last page') },
    closed,
  ),
} as const
