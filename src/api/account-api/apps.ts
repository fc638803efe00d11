/** /account/apps: the apps that may act for the account, what each may spend, and an end to it. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import type { ApiContext } from '../api-context.ts'
import { formatUsd, parseUsd } from '../../model/money/money.ts'
import { changeCap, readApps, revokeApp } from '../../features/oauth/apps.ts'
import { publisherOf } from '../../model/oauth/client.ts'
import { APP_SCOPES, OAUTH_LIMITS } from '../../model/oauth/authorization.ts'
import { Problem } from '../../kit/problem.ts'
import type { AppRow } from '../../store/app-connections.ts'
import { type Reply, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const params = Type.Object({ id: Type.String({ maxLength: 64 }) })
/** A text, since `readCap` says in a sentence what is wrong with it. */
export const CapField = Type.String({ maxLength: 32 })

const listSchema = { hide: true, response: { 200: REPLIES.Apps } }
const changeSchema = {
  hide: true,
  params,
  body: Type.Object({ monthlyCap: CapField }, { additionalProperties: false }),
  response: { 200: REPLIES.Done },
}
const revokeSchema = { hide: true, params, response: { 200: REPLIES.Revoked } }

export function appRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/apps', { schema: listSchema }, async (request) => ({
      apps: (await readApps(db, visitorOf(request).accountId)).map(presentApp),
    }))

    app.patch('/account/apps/:id', { schema: changeSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const monthlyCapMicros = readCap(request.body.monthlyCap)
      if (!(await changeCap(db, { id: request.params.id, accountId, monthlyCapMicros })))
        throw new Problem('not_found')
      return { status: true as const }
    })

    app.delete('/account/apps/:id', { schema: revokeSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      if (!(await revokeApp(db, { id: request.params.id, accountId })))
        throw new Problem('not_found')
      return { revoked: true as const }
    })
  }
}

/** Returns the cap in micros; throws a sentence for people. */
export function readCap(text: string): bigint {
  const micros = parseUsd(text.trim())
  if (micros !== null && micros >= 0n && micros <= OAUTH_LIMITS.capMaxMicros) return micros
  throw new Problem('invalid_request', {
    message: `The monthly cap must be an amount of USD from 0 to ${formatUsd(OAUTH_LIMITS.capMaxMicros)}, such as 5 or 2.50.`,
    field: 'monthlyCap',
  })
}

function presentApp(app: AppRow): Reply<'Apps'>['apps'][number] {
  return {
    id: app.id,
    name: app.name,
    publisher: publisherOf({ id: app.clientId, kind: app.kind }),
    scopes: APP_SCOPES.filter((scope) => app.scopes.includes(scope)),
    monthlyCap: formatUsd(app.monthlyCapMicros),
    spentThisMonth: formatUsd(app.spentMicros),
    createdAt: app.createdAt.toISOString(),
    lastUsedAt: app.lastUsedAt?.toISOString() ?? null,
  }
}
