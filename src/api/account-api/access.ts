/**
 * /account/keys, /account/apps and /account/job-mail: API keys, apps that may act for the account, and whether it is
 * mailed about its jobs.
 */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { readKeysWithSpending } from '../../features/accounts/access.ts'
import { issueKey, revokeKey } from '../../features/accounts/keys.ts'
import { updateCap, listApps, revokeApp } from '../../features/oauth/apps.ts'
import { changeJobMail, hasJobMail } from '../../features/webhooks/webhooks.ts'
import { LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { Problem } from '../../kit/problem.ts'
import { VISIBLE_PATTERN, visibleLine } from '../../kit/text/invisible.ts'
import { dollars, formatUsd, parseUsd } from '../../model/money/money.ts'
import { APP_SCOPES, OAUTH_LIMITS } from '../../model/oauth/authorization.ts'
import { publisherOf } from '../../model/oauth/client.ts'
import type { ApiKeyRow } from '../../store/accounts.ts'
import type { AppRow } from '../../store/app-connections.ts'
import type { ApiContext } from '../api-context.ts'
import { closedObject, rowId } from '../contract.ts'
import { answering, answersDone, DONE, REPLIES, type Reply } from './replies.ts'
import { refused, visitorOf } from './visitor.ts'

const params = Type.Object({ id: rowId() })
/** A text, since `readCap` says in a sentence what is wrong with it. */
export const CapField = Type.String({ maxLength: 32 })

const changeSchema = { ...answersDone, params, body: closedObject({ monthlyCap: CapField }) }
const revokeSchema = { ...answering(REPLIES.Revoked), params }

export function appRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/apps', { schema: answering(REPLIES.Apps) }, async (request) => ({
      apps: (await listApps(db, visitorOf(request).accountId)).map(presentApp),
    }))

    app.patch('/account/apps/:id', { schema: changeSchema }, async (request) => {
      const { accountId } = visitorOf(request)
      const monthlyCapMicros = readCap(request.body.monthlyCap)
      if (!(await updateCap(db, { id: request.params.id, accountId, monthlyCapMicros })))
        throw new Problem('not_found')
      return DONE
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
  throw refused(
    `The monthly limit must be an amount from $0.00 to ${dollars(OAUTH_LIMITS.capMaxMicros)}, such as 5 or 2.50.`,
    { field: 'monthlyCap' },
  )
}

function presentApp(row: AppRow): Reply<'Apps'>['apps'][number] {
  const { clientId, kind, monthlyCapMicros, spentMicros, ...app } = row
  return {
    ...app,
    publisher: publisherOf({ id: clientId, kind }),
    scopes: APP_SCOPES.filter((scope) => app.scopes.includes(scope)),
    monthlyCap: formatUsd(monthlyCapMicros),
    spentThisMonth: formatUsd(spentMicros),
  }
}

// /account/keys: the account's API keys; a key's secret is in one answer only, the one that made it.

const createSchema = {
  hide: true,
  response: { 201: REPLIES.NewKey },
  body: closedObject({
    name: Type.String({
      minLength: 1,
      maxLength: LIMITS.keyNameLengthMax,
      pattern: VISIBLE_PATTERN,
      examples: ['Scripts'],
    }),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...APP_SCOPES]), { minItems: 1, uniqueItems: true }),
    ),
    monthlyCap: Type.Optional(CapField),
  }),
}

export function keyRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/keys', { schema: answering(REPLIES.ApiKeys) }, async (request) => {
      const { keys, spentMicros } = await readKeysWithSpending(db, visitorOf(request).accountId)
      return { keys: keys.map((key) => presentKey(key, spentMicros.get(key.id) ?? null)) }
    })

    app.post('/account/keys', { schema: createSchema }, async (request, reply) => {
      const { accountId } = visitorOf(request)
      const { name, scopes = null, monthlyCap } = request.body
      const monthlyCapMicros = monthlyCap === undefined ? null : readCap(monthlyCap)
      const key = { accountId, name: visibleLine(name), limits: { scopes, monthlyCapMicros } }
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
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    revokedAt: key.revokedAt,
    sentInClearAt: key.sentInClearAt,
    scopes: key.scopes,
    monthlyCap: key.monthlyCapMicros === null ? null : formatUsd(key.monthlyCapMicros),
    spentThisMonth: spentMicros === null ? null : formatUsd(spentMicros),
  }
}

// /account/job-mail: whether the account is mailed when one of its jobs is final.

const mailSchema = answering(REPLIES.JobMail)
const putSchema = { ...mailSchema, body: closedObject({ isOn: Type.Boolean() }) }

export function jobMailRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/account/job-mail', { schema: mailSchema }, async (request) => ({
      isOn: await hasJobMail(db, visitorOf(request).accountId),
    }))

    app.put('/account/job-mail', { schema: putSchema }, async (request) => {
      const { isOn } = request.body
      await changeJobMail(db, { accountId: visitorOf(request).accountId, isOn })
      return { isOn }
    })
  }
}
