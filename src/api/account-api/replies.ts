/**
 * What the account API answers, by name. The site's types are those of these schemas, and the compiler holds each
 * route against its own.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { closedObject, nullable, pageOf, wordOf } from '../contract.ts'
import { BatchSummary } from '../batches/schema.ts'
import { JobBatch, Job } from '../jobs/schema.ts'
import { OtherText } from '../library/schema.ts'
import { FINAL_STATES } from '../../model/jobs/job.ts'
import { APP_SCOPES } from '../../model/oauth/authorization.ts'
import { ENTRY_KINDS } from '../../model/money/ledger.ts'
import { Count, Dollars, Instant, OPERATOR_REPLIES, SpentDay, Text } from './operator/replies.ts'

const Done = closedObject({ status: Type.Literal(true) })

const Scopes = Type.Array(wordOf(APP_SCOPES))

const ApiKey = closedObject({
  id: Text,
  name: Text,
  prefix: Text,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
  revokedAt: nullable(Instant),
  sentInClearAt: nullable(
    Instant,
    'When it first came by plain http, where others may have read it',
  ),
  scopes: nullable(Scopes, 'Null: it may do everything'),
  monthlyCap: nullable(Dollars, 'Null: it may spend the whole balance'),
  spentThisMonth: nullable(Dollars, 'Only of a key with a monthly limit'),
})

const ENTRY = {
  number: Type.Integer(),
  at: Instant,
  kind: wordOf(ENTRY_KINDS),
  change: Type.String({ description: 'Change of the available balance, in USD' }),
  charged: nullable(Dollars, 'Only for a charge: what was taken from the reserve'),
  jobId: nullable(Text),
  reason: nullable(Text),
}

const StatementEntry = closedObject({
  ...ENTRY,
  balance: Type.String({ description: 'Available balance after the entry, in USD' }),
  reserved: Dollars,
})

const Movement = closedObject({
  jobId: nullable(Text),
  title: nullable(Text, 'What the job is called; null for an entry that belongs to no job'),
  batch: nullable(JobBatch, 'The batch that it is a job of'),
  change: Type.String({ description: 'What it added or took, in USD; none as long as a job runs' }),
  held: Type.String({ description: 'What a running job holds of the balance, in USD' }),
  balance: Type.String({
    description:
      'What the account had after it, held money included: that of the next and its change',
  }),
  entries: Type.Array(closedObject(ENTRY), {
    description: 'One that belongs to no job, or all of one job: the reserve first',
  }),
})

const SpenderName = closedObject({
  id: Type.String({ description: 'Id of a key or an app, or `website`' }),
  name: nullable(Text, 'Null for the website, and for a key that is forgotten'),
})

const ChargedLine = closedObject({
  id: Text,
  state: wordOf(FINAL_STATES),
  title: Type.String({ description: 'What the job is called' }),
  batch: nullable(JobBatch),
  transcripts: Count,
  charged: Dollars,
  chargedAt: Instant,
  spender: SpenderName,
})

const Access = closedObject({ keys: Count, passkeys: Count, apps: Count })

const App = closedObject({
  id: Text,
  name: Text,
  publisher: nullable(Text, 'The host that vouches for the name; null where nobody does'),
  scopes: Scopes,
  monthlyCap: Dollars,
  spentThisMonth: Dollars,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
})

export const REPLIES = {
  ...OPERATOR_REPLIES,
  Done,
  Visit: closedObject({
    email: nullable(Text, 'Null while nobody is signed in'),
    accountId: nullable(Text),
    isOperator: Type.Boolean(),
    foot: Type.Array(
      closedObject({ title: Text, links: Type.Array(closedObject({ path: Text, title: Text })) }),
      { description: 'Links at the foot of every page, in groups' },
    ),
    apiBase: Type.String({ description: 'Absolute base address of the public API' }),
    signUp: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    sendsMail: Type.Boolean(),
    oidcName: nullable(Text, "The label of the provider's button; null without a provider"),
    isFirstRun: Type.Boolean({
      description: "Whether this visitor may make the first account, the operator's",
    }),
    examples: closedObject({
      video: Type.String({ description: 'Address of a video with captions' }),
      channel: Text,
    }),
  }),
  Bearer: closedObject({ bearer: Text, lifetimeSeconds: Count }),
  SignInMethods: closedObject({
    hasPassword: Type.Boolean(),
    providers: Type.Array(Text),
    passkeys: Type.Array(
      closedObject({
        id: Text,
        name: nullable(Text),
        createdAt: nullable(Instant),
        isSynced: Type.Boolean(),
      }),
    ),
    sessions: Type.Array(
      closedObject({
        id: Text,
        device: Type.String({ description: 'Browser and system in plain words' }),
        signedInAt: Instant,
        lastUsedAt: Type.Unsafe<Date>({ ...Instant, description: 'True to ten minutes' }),
        isCurrent: Type.Boolean(),
      }),
    ),
    nextAddress: nullable(
      closedObject({ email: Text, expiresAt: Instant }),
      'Asked for, and not confirmed yet',
    ),
  }),
  ApiKey,
  ApiKeys: closedObject({ keys: Type.Array(ApiKey) }),
  NewKey: closedObject({ keyId: Text, apiKey: Text, prefix: Text }),
  Revoked: closedObject({ revoked: Type.Literal(true) }),
  Funds: closedObject({
    available: Dollars,
    held: Dollars,
    pricePerTranscript: Dollars,
    affordableTranscripts: Count,
  }),
  StatementEntry,
  Statement: closedObject(pageOf('entries', StatementEntry)),
  Movement,
  Movements: closedObject(pageOf('movements', Movement)),
  Orders: closedObject({
    ...pageOf(
      'orders',
      closedObject({
        job: nullable(Job, 'Null for a batch, which stands for its jobs'),
        batch: nullable(BatchSummary),
      }),
    ),
    searched: nullable(Count, 'How many of the newest orders were searched; null for all'),
  }),
  TopUpOffer: closedObject({
    amounts: Type.Array(Dollars, {
      description: 'In USD; empty if only the operator adds credit',
    }),
  }),
  Booked: closedObject({ amount: nullable(Dollars, 'Null while the payment has not arrived') }),
  Checkout: closedObject({ url: Text }),
  SpenderName,
  Usage: closedObject({
    rows: Type.Array(
      closedObject({
        month: Text,
        spender: SpenderName,
        jobs: Count,
        transcripts: Count,
        charged: Dollars,
      }),
      { description: 'By month (UTC) and spender, the latest month and what cost most first' },
    ),
  }),
  Spending: closedObject({
    ...pageOf('jobs', ChargedLine),
    transcripts: Count,
    charged: Dollars,
    days: Type.Array(SpentDay),
    months: Type.Array(closedObject({ month: Text, charged: Dollars })),
    spenders: Type.Array(SpenderName),
  }),
  Invoices: closedObject({
    invoices: nullable(
      Type.Array(
        closedObject({
          number: Text,
          paidAt: Instant,
          amount: Dollars,
          returned: nullable(Dollars, 'What went back of it by refunds and disputes'),
        }),
      ),
      'Null where the operator offers none',
    ),
  }),
  SourcesPreview: closedObject({
    lineCount: Count,
    linesMax: Count,
    /** How many lines were understood, how many of these name a single video, and how many were not. */
    links: Count,
    videos: Count,
    unclear: Count,
    lines: Type.Array(
      closedObject({
        line: Text,
        number: Count,
        kind: nullable(
          Type.Union([Type.Literal('video'), Type.Literal('playlist'), Type.Literal('channel')]),
          'Null if the line names no source; `about` says why',
        ),
        about: Text,
        suggestion: nullable(
          Text,
          'The line that was probably meant, also for an old name of a channel, which may be its handle',
        ),
      }),
    ),
    repeats: Type.Integer({ description: 'How many lines name what an earlier one names' }),
    document: nullable(
      Text,
      'Of a document, what was taken of it and what was not; which lines hold comments; as the notices of an order say it',
    ),
    usable: Type.String({
      description: 'What was understood, one address on a line',
    }),
    owned: nullable(
      closedObject({ videos: Count, isWhole: Type.Boolean() }),
      'What the account has of it already, of more lines than a job may have; `isWhole` where no more can be',
    ),
  }),
  OtherTexts: closedObject({ texts: Type.Array(OtherText) }),
  JobMail: closedObject({ isOn: Type.Boolean() }),
  App,
  Apps: closedObject({ apps: Type.Array(App) }),
  /** What a reader is asked before an app may act for them. */
  AppQuestion: closedObject({
    name: Text,
    publisher: nullable(Text),
    destination: nullable(
      closedObject({
        kind: Type.Union([Type.Literal('host'), Type.Literal('computer'), Type.Literal('program')]),
        name: Text,
      }),
      'Where the answer goes; null for a program that waits for a code',
    ),
    scopes: Scopes,
    isConnected: Type.Boolean(),
    monthlyCap: Type.String({ description: 'The limit as it is, or what is proposed, in USD' }),
    spentThisMonth: Dollars,
    pricePerTranscript: Dollars,
  }),
  Decided: closedObject({ location: Text }),
  Access,
  AddressKept: closedObject({
    email: Type.String({ description: 'Where a link for a new password was mailed' }),
    // Access that was made shortly before the change or after it, and was ended.
    ended: closedObject({ keys: Count, passkeys: Count, apps: Count, webhooks: Count }),
  }),
  AfterReset: closedObject({
    keys: Count,
    passkeys: Count,
    apps: Count,
    grant: Type.String({ description: 'Allows revoking both, for a quarter of an hour' }),
  }),
  Verified: closedObject({
    state: Type.Union([Type.Literal('signed_in'), Type.Literal('password_needed')]),
  }),
} as const

/** Returns the schema of a route that answers so. None of the account API is in the public description. */
export function answering<T extends TSchema>(reply: T) {
  return { hide: true, response: { 200: reply } }
}

/** The answer where nothing more is to be said. */
export const DONE = { status: true as const }
export const answersDone = answering(REPLIES.Done)

/** An answer in the sign-in library's shape, which is WebAuthn's or a provider's. */
export const AS_THE_LIBRARY_ANSWERS = Type.Unknown()
/** An answer that is a file or a stream of text. */
export const BYTES = Type.Unknown()

export type ReplyName = keyof typeof REPLIES
export type Reply<Name extends ReplyName> = Static<(typeof REPLIES)[Name]>
