/**
 * What the account API answers, by name. The site's types are printed from these schemas
 * (test/account/web-types.test.ts), and the compiler holds each route against its own.
 */
import { type Static, Type } from 'typebox'
import { nullable, pageOf } from '../api/contract.ts'
import { ENTRY_KINDS } from '../billing/ledger.ts'

const closed = { additionalProperties: false }
const Instant = Type.String({ format: 'date-time' })
const Usd = Type.String({ description: 'USD as a plain decimal' })
const Count = Type.Integer({ minimum: 0 })

const Done = Type.Object({ status: Type.Literal(true) }, closed)

const Visit = Type.Object(
  {
    email: nullable(Type.String(), 'Null while nobody is signed in'),
    accountId: nullable(Type.String()),
    apiBase: Type.String({ description: 'Absolute base address of the public API' }),
    signUp: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
    sendsMail: Type.Boolean(),
    oidcName: nullable(Type.String(), 'What the button of the provider says; null without one'),
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
    sessions: Count,
  },
  closed,
)

const ApiKey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    prefix: Type.String(),
    createdAt: Instant,
    lastUsedAt: nullable(Instant),
    revokedAt: nullable(Instant),
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
    change: Type.String({ description: 'Of what can be spent, in USD' }),
    charged: nullable(Usd, 'Only of a charge: what was taken of the reserve'),
    balance: Type.String({ description: 'What could be spent after it, in USD' }),
    reserved: Usd,
    jobId: nullable(Type.String()),
    reason: nullable(Type.String()),
  },
  closed,
)

const Recognition = Type.Object(
  {
    lineCount: Count,
    linesMax: Count,
    lines: Type.Array(
      Type.Object(
        {
          line: Type.String(),
          kind: nullable(
            Type.Union([Type.Literal('video'), Type.Literal('playlist'), Type.Literal('channel')]),
            'Null where the line is no source; then `about` says why',
          ),
          about: Type.String(),
        },
        closed,
      ),
    ),
  },
  closed,
)

const Access = Type.Object({ keys: Count, passkeys: Count }, closed)

export const REPLIES = {
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
        description: 'In USD; none where only the operator adds credit',
      }),
    },
    closed,
  ),
  Checkout: Type.Object({ url: Type.String() }, closed),
  Recognition,
  Access,
  AfterReset: Type.Object(
    {
      keys: Count,
      passkeys: Count,
      grant: Type.String({ description: 'Revokes both for a quarter of an hour' }),
    },
    closed,
  ),
  Verified: Type.Object(
    { state: Type.Union([Type.Literal('signed_in'), Type.Literal('password_needed')]) },
    closed,
  ),
} as const

/** Sent as the sign-in library answers; its shape is WebAuthn's or a provider's. */
export const AS_THE_LIBRARY_ANSWERS = Type.Unknown()
/** Sent as a file or as a stream of text. */
export const BYTES = Type.Unknown()

export type Reply<Name extends keyof typeof REPLIES> = Static<(typeof REPLIES)[Name]>
