/** /account/keys: the account's API keys; a key's secret is in one answer only, the one that made it. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { issueKey, revokeKey } from '../../features/accounts/keys.ts'
import { readKeysWithSpending } from '../../features/accounts/access.ts'
import type { ApiContext } from '../api-context.ts'
import { formatUsd } from '../../model/money/money.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { APP_SCOPES } from '../../model/oauth/authorization.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiKeyRow } from '../../store/accounts.ts'
import { transact } from '../../kit/postgres/database.ts'
import { CapField, readCap } from './apps.ts'
import { type Reply, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const listSchema = { hide: true, response: { 200: REPLIES.ApiKeys } }
const createSchema = {
  hide: true,
  response: { 201: REPLIES.NewKey },
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: LIMITS.keyNameLengthMax, pattern: '\\S' }),
      scopes: Type.Optional(
        Type.Array(Type.Enum([...APP_SCOPES]), { minItems: 1, uniqueItems: true }),
      ),
      monthlyCap: Type.Optional(CapField),
    },
    { additionalProperties: false },
  ),
}
const revokeSchema = {
  hide: true,
  params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
  response: { 200: REPLIES.Revoked },
}

export function keyRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/keys', { schema: listSchema }, async (request) => {
      const { keys, spentMicros } = await readKeysWithSpending(db, visitorOf(request).accountId)
      return { keys: keys.map((key) => presentKey(key, spentMicros.get(key.id) ?? null)) }
    })

    app.post('/account/keys', { schema: createSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { name, scopes = null, monthlyCap } = request.body
      const monthlyCapMicros = monthlyCap === undefined ? null : readCap(monthlyCap)
      const key = { accountId, name: name.trim(), limits: { scopes, monthlyCapMicros } }
      return reply.code(201).send(await transact(db, (tx) => issueKey(tx, key)))
    })

    app.delete('/account/keys/:id', { schema: revokeSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const isKnown = await transact(db, (tx) =>
        revokeKey(tx, { keyId: request.params.id, accountId }),
      )
      if (!isKnown) throw new Problem('not_found')
      return { revoked: true as const }
    })
  }
}

function presentKey(key: ApiKeyRow, spentMicros: bigint | null): Reply<'ApiKey'> {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
    scopes: key.scopes,
    monthlyCap: key.monthlyCapMicros === null ? null : formatUsd(key.monthlyCapMicros),
    spentThisMonth: spentMicros === null ? null : formatUsd(spentMicros),
  }
}
