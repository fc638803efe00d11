/**
 * What the account API answers, by name. The site's types are printed from these schemas
 * (test/clients/types.long.test.ts), and the compiler holds each route against its own.
 */
import { type Static, Type } from 'typebox'
import { nullable, pageOf } from '../contract.ts'
import { FINAL_STATES } from '../../model/jobs/job.ts'
import { APP_SCOPES } from '../../model/oauth/authorization.ts'
import { ENTRY_KINDS } from '../../model/money/ledger.ts'
import { OPERATOR_REPLIES } from './operator/replies.ts'

const closed = { additionalProperties: false }
const Instant = Type.String({ format: 'date-time' })
const Usd = Type.String({ description: 'USD as a plain decimal' })
const Count = Type.Integer({ minimum: 0 })

const Done = Type.Object({ status: Type.Literal(true) }, closed)

const Visit = Type.Object(
  {
    email: nullable(Type.String(), 'Null while nobody is signed in'),
    accountId: nullable(Type.String()),
    isOperator: Type.Boolean(),
    hasStatusPage: Type.Boolean(),
    legal: Type.Array(Type.Object({ path: Type.String(), title: Type.String() }, closed)),
    apiBase: Type.String({ description: 'Absolute base address of the public API' }),
    signUp: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    sendsMail: Type.Boolean(),
    oidcName: nullable(
      Type.String(),
      "The label of the provider's button; null without a provider",
    ),
  },
  closed,
)

const Bearer = Type.Object({ bearer: Type.String(), lifetimeSeconds: Count }, closed)

const SignInMethods = Type.Object(
  {
    hasPassword: Type.Boolean(),
    providers: Type.Array(Type.String()),
    passkeys: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: nullable(Type.String()),
          createdAt: nullable(Instant),
          isSynced: Type.Boolean(),
        },
        closed,
      ),
    ),
    sessions: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          device: Type.String({ description: 'Browser and system in plain words' }),
          signedInAt: Instant,
          lastUsedAt: Type.String({ format: 'date-time', description: 'True to ten minutes' }),
          isCurrent: Type.Boolean(),
        },
        closed,
      ),
    ),
    nextAddress: nullable(
      Type.Object({ email: Type.String(), expiresAt: Instant }, closed),
      'Asked for, and not confirmed yet',
    ),
  },
  closed,
)

const Scopes = Type.Array(Type.Enum([...APP_SCOPES], { type: 'string' }))

const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    createdAt: Instant,
    lastUsedAt: nullable(Instant),
    revokedAt: nullable(Instant),
    scopes: nullable(Scopes, 'Null: it may do everything'),
    monthlyCap: nullable(Usd, 'Null: it may spend the whole balance'),
    spentThisMonth: nullable(Usd, 'Only of a key with a cap'),
  },
  closed,
)

const NewKey = Type.Object(
  { keyId: Type.String(), apiKey: Type.String(), prefix: Type.String() },
  closed,
)

const Funds = Type.Object(
  { available: Usd, held: Usd, pricePerTranscript: Usd, affordableTranscripts: Count },
  closed,
)

const StatementEntry = Type.Object(
  {
    number: Type.Integer(),
    at: Instant,
    kind: Type.Enum([...ENTRY_KINDS], { type: 'string' }),
    change: Type.String({ description: 'Change of the available balance, in USD' }),
    charged: nullable(Usd, 'Only for a charge: what was taken from the reserve'),
    balance: Type.String({ description: 'Available balance after the entry, in USD' }),
    reserved: Usd,
    jobId: nullable(Type.String()),
    reason: nullable(Type.String()),
  },
  closed,
)

const SpenderName = Type.Object(
  {
    id: Type.String({ description: 'Id of a key or an app, or `website`' }),
    name: nullable(Type.String(), 'Null for the website, and for a key that is forgotten'),
  },
  closed,
)

const ChargedLine = Type.Object(
  {
    id: Type.String(),
    state: Type.Enum([...FINAL_STATES], { type: 'string' }),
    urls: Type.Array(Type.String(), { description: 'The first line' }),
    lines: Count,
    transcripts: Count,
    charged: Usd,
    chargedAt: Instant,
    spender: SpenderName,
  },
  closed,
)

const Spending = Type.Object(
  {
    ...pageOf('jobs', ChargedLine),
    transcripts: Count,
    charged: Usd,
    days: Type.Array(Type.Object({ day: Type.String(), transcripts: Count, charged: Usd }, closed)),
    months: Type.Array(Type.Object({ month: Type.String(), charged: Usd }, closed)),
    spenders: Type.Array(SpenderName),
  },
  closed,
)

const Invoices = Type.Object(
  {
    invoices: nullable(
      Type.Array(
        Type.Object(
          {
            number: Type.String(),
            paidAt: Instant,
            amount: Usd,
            returned: nullable(Usd, 'What went back of it by refunds and disputes'),
          },
          closed,
        ),
      ),
      'Null where the operator offers none',
    ),
  },
  closed,
)

const SourcesPreview = Type.Object(
  {
    lineCount: Count,
    linesMax: Count,
    lines: Type.Array(
      Type.Object(
        {
          line: Type.String(),
          kind: nullable(
            Type.Union([Type.Literal('video'), Type.Literal('playlist'), Type.Literal('channel')]),
            'Null if the line names no source; `about` says why',
          ),
          about: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
)

const Access = Type.Object({ keys: Count, passkeys: Count, apps: Count }, closed)

const App = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    publisher: nullable(
      Type.String(),
      'The host that vouches for the name; null where nobody does',
    ),
    scopes: Scopes,
    monthlyCap: Usd,
    spentThisMonth: Usd,
    createdAt: Instant,
    lastUsedAt: nullable(Instant),
  },
  closed,
)

/** What a reader is asked before an app may act for them. */
const AppQuestion = Type.Object(
  {
    name: Type.String(),
    publisher: nullable(Type.String()),
    destination: nullable(
      Type.Object(
        {
          kind: Type.Union([
            Type.Literal('host'),
            Type.Literal('computer'),
            Type.Literal('program'),
          ]),
          name: Type.String(),
        },
        closed,
      ),
      'Where the answer goes; null for a program that waits for a code',
    ),
    scopes: Scopes,
    isConnected: Type.Boolean(),
    monthlyCap: Type.String({ description: 'The cap as it is, or what is proposed, in USD' }),
    spentThisMonth: Usd,
    pricePerTranscript: Usd,
  },
  closed,
)

export const REPLIES = {
  ...OPERATOR_REPLIES,
  Done,
  Visit,
  Bearer,
  SignInMethods,
  ApiKey,
  ApiKeys: Type.Object({ keys: Type.Array(ApiKey) }, closed),
  NewKey,
  Revoked: Type.Object({ revoked: Type.Literal(true) }, closed),
  Funds,
  StatementEntry,
  Statement: Type.Object(pageOf('entries', StatementEntry), closed),
  TopUpOffer: Type.Object(
    {
      amounts: Type.Array(Usd, {
        description: 'In USD; empty if only the operator adds credit',
      }),
    },
    closed,
  ),
  Booked: Type.Object({ amount: nullable(Usd, 'Null while the payment has not arrived') }, closed),
  Checkout: Type.Object({ url: Type.String() }, closed),
  Spending,
  Invoices,
  SourcesPreview,
  JobMail: Type.Object({ isOn: Type.Boolean() }, closed),
  Apps: Type.Object({ apps: Type.Array(App) }, closed),
  AppQuestion,
  Decided: Type.Object({ location: Type.String() }, closed),
  Access,
  AddressKept: Type.Object(
    {
      email: Type.String({ description: 'Where a link for a new password was mailed' }),
      // Access that was made shortly before the change or after it, and was ended.
      ended: Type.Object({ keys: Count, passkeys: Count, apps: Count, webhooks: Count }, closed),
    },
    closed,
  ),
  AfterReset: Type.Object(
    {
      keys: Count,
      passkeys: Count,
      apps: Count,
      grant: Type.String({ description: 'Allows revoking both, for a quarter of an hour' }),
    },
    closed,
  ),
  Verified: Type.Object(
    { state: Type.Union([Type.Literal('signed_in'), Type.Literal('password_needed')]) },
    closed,
  ),
} as const

/** An answer in the sign-in library's shape, which is WebAuthn's or a provider's. */
export const AS_THE_LIBRARY_ANSWERS = Type.Unknown()
/** An answer that is a file or a stream of text. */
export const BYTES = Type.Unknown()

export type Reply<Name extends keyof typeof REPLIES> = Static<(typeof REPLIES)[Name]>
