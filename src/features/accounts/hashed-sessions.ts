/**
 * Stores sessions by the SHA-256 hash of their token, so that a reader of the table cannot sign in with it. better-auth
 * has no setting for this, so its access to the database is wrapped: a token is hashed on its way in, and a caller that
 * looked up a session by its token gets that token back.
 */
import { createHash } from 'node:crypto'
import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'

/** The arguments of the adapter's methods: each has some of these. */
type Given = { model: string; where?: Where[]; data?: Row; update?: Row; set?: Row }
type Row = Record<string, unknown>
type Method = (given: Given) => Promise<unknown>

const METHODS = [
  'create',
  'findOne',
  'findMany',
  'count',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
  'consumeOne',
  'incrementOne',
] as const satisfies (keyof DBTransactionAdapter)[]

export function hashSessionTokens(inner: DBAdapter): DBAdapter {
  return { ...hashing(inner), transaction: (work) => inner.transaction((tx) => work(hashing(tx))) }
}

/** Returns a session's token as the database keeps it: 43 letters. */
function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

function hashing<A extends DBTransactionAdapter>(inner: A): A {
  const wrapped = METHODS.map((name) => {
    const method = inner[name] as unknown as Method
    return [
      name,
      async (given: Given) => {
        if (given.model !== 'session') return method(given)
        const tokens = new Map<string, string>()
        return restored(await method(hashed(given, tokens)), tokens)
      },
    ]
  })
  return { ...inner, ...Object.fromEntries(wrapped) }
}

/** Returns the arguments with hashes instead of tokens; `tokens` collects the tokens by their hashes. */
function hashed(given: Given, tokens: Map<string, string>): Given {
  const hash = (token: unknown): string => {
    const kept = hashToken(String(token))
    tokens.set(kept, String(token))
    return kept
  }
  const inRow = (row: Row): Row =>
    row['token'] === undefined ? row : { ...row, token: hash(row['token']) }
  const inCondition = (one: Where): Where => {
    if (one.field !== 'token') return one
    return { ...one, value: Array.isArray(one.value) ? one.value.map(hash) : hash(one.value) }
  }
  return {
    ...given,
    ...(given.where === undefined ? {} : { where: given.where.map(inCondition) }),
    ...(given.data === undefined ? {} : { data: inRow(given.data) }),
    ...(given.update === undefined ? {} : { update: inRow(given.update) }),
    ...(given.set === undefined ? {} : { set: inRow(given.set) }),
  }
}

function restored(answer: unknown, tokens: Map<string, string>): unknown {
  if (Array.isArray(answer)) return answer.map((row) => restored(row, tokens))
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return answer
  return { ...answer, token: tokens.get(String(answer.token)) ?? answer.token }
}
