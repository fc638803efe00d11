/** /account/keys: the account's API keys; a key's secret is in one answer only, the one that made it. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { issueKey } from '../accounts/issue-key.ts'
import type { ApiContext } from '../api/app.ts'
import { LIMITS } from '../config.ts'
import { Problem } from '../problem.ts'
import { type ApiKeyRow, listApiKeys, revokeApiKey } from '../store/accounts.ts'
import { visitorOf } from './visitor.ts'

const createSchema = {
  hide: true,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: LIMITS.keyNameLengthMax, pattern: '\\S' }),
  }, { additionalProperties: false }),
}
const revokeSchema = { hide: true, params: Type.Object({ id: Type.String({ maxLength: 64 }) }) }

export function keyRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/keys', { schema: { hide: true } }, async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const keys = await listApiKeys(db, visitorOf(request).accountId)
      return { keys: keys.map(presentKey) }
    })

    app.post('/account/keys', { schema: createSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const live = (await listApiKeys(db, accountId)).filter((key) => key.revokedAt === null)
      if (live.length >= LIMITS.keysMax) {
        throw new Problem('invalid_request', {
          message: `An account has at most ${LIMITS.keysMax} keys; revoke one that is not used any more.`,
        })
      }
      const issued = await issueKey(db, { accountId, name: request.body.name.trim() })
      return reply.code(201).header('Cache-Control', 'no-store').send(issued)
    })

    app.delete('/account/keys/:id', { schema: revokeSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const isKnown = await revokeApiKey(db, { keyId: request.params.id, accountId })
      if (!isKnown) throw new Problem('not_found')
      return { revoked: true }
    })
  }
}

function presentKey(key: ApiKeyRow) {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    revokedAt: key.revokedAt?.toISOString() ?? null,
  }
}
