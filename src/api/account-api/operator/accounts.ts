/** /account/operator/accounts: finding accounts, and what an operator does to one, each with its reason. */
import { counted } from '../../../kit/text/counted.ts'
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { resumeAccount, suspendAccount } from '../../../features/accounts/account.ts'
import { presentAccount, presentUsage } from '../../../admin/account-overview-commands.ts'
import { presentAct } from '../../../admin/job-commands.ts'
import type { ApiContext } from '../../api-context.ts'
import { closedObject, pagingOf, rowId, wordOf } from '../../contract.ts'
import { formatUsd, parseUsd } from '../../../model/money/money.ts'
import { LIMITS } from '../../../config/config.ts'
import { giveCredit } from '../../../features/operator/acts.ts'
import {
  type AccountDetails,
  findAccounts,
  readAccount,
  readDays,
} from '../../../features/operator/read-accounts.ts'
import { COST_COLUMNS, readCosts } from '../../../features/operator/storage.ts'
import { Problem } from '../../../kit/problem.ts'
import { visibleLine } from '../../../kit/text/invisible.ts'
import { presentCharged } from '../money.ts'
import { answering, answersDone, DONE, REPLIES, type Reply } from '../replies.ts'
import { refused, visitorOf } from '../visitor.ts'
import { presentOwnedJob } from './jobs.ts'
import { actorAndReason, REASON } from './gate.ts'

const params = Type.Object({ id: rowId() })
const COSTS_SHOWN = 10
const DAYS_MAX = 365

const listSchema = {
  ...answering(REPLIES.OperatorAccounts),
  querystring: Type.Object({
    ...pagingOf({ limit: LIMITS.consolePage, limitMax: LIMITS.consolePageMax }),
    q: Type.Optional(Type.String({ maxLength: 320 })),
    suspended: Type.Optional(Type.Boolean()),
  }),
}
const costsSchema = {
  ...answering(REPLIES.OperatorCosts),
  querystring: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })),
    by: Type.Optional(wordOf(COST_COLUMNS)),
  }),
}
const detailsSchema = { ...answering(REPLIES.OperatorAccountDetails), params }
const creditSchema = {
  ...answersDone,
  params,
  body: closedObject({ usd: Type.String({ maxLength: 16 }), reason: REASON }),
}
const actSchema = { ...answersDone, params, body: closedObject({ reason: REASON }) }

export function operatorAccountRoutes({ db }: ApiContext): FastifyPluginAsyncTypebox {
  const known = async (id: string): Promise<AccountDetails> => {
    const account = await readAccount(db, id)
    if (account === null) throw new Problem('not_found', { message: 'There is no such account.' })
    return account
  }
  return async (app) => {
    app.get('/account/operator/accounts', { schema: listSchema }, async ({ query }) => {
      const { offset = 0, limit = LIMITS.consolePage, q = '', suspended = false } = query
      const search = visibleLine(q) || null
      const ask = { search, onlySuspended: suspended, offset, limit }
      const { total, accounts, nextOffset } = await findAccounts(db, ask)
      const ids = accounts.map(({ id }) => id)
      const days = await readDays(db, ids)
      const present = accounts.map((account) => presentWithDays(account, days))
      return { total, offset, limit, nextOffset, accounts: present }
    })

    app.get('/account/operator/costs', { schema: costsSchema }, async ({ query }) => {
      const { days = 1, by = 'calls' } = query
      const { tops } = await readCosts(db, { days, limit: COSTS_SHOWN, by })
      const costs = (tops[0]?.costs ?? []).map(({ accountId, email, chargedMicros, ...usage }) => ({
        accountId,
        email,
        ...presentUsage(usage),
        charged: formatUsd(chargedMicros),
      }))
      return { days, by, costs }
    })

    app.get('/account/operator/accounts/:id', { schema: detailsSchema }, async ({ params }) => {
      const account = await known(params.id)
      return presentDetails(account, await readDays(db, [account.overview.id]))
    })

    app.post('/account/operator/accounts/:id/credit', { schema: creditSchema }, async (request) => {
      const { overview } = await known(request.params.id)
      const { usd, reason } = request.body
      const micros = parseUsd(usd)
      if (micros === null || micros === 0n)
        throw refused('The credit must be a plain amount such as 10 or 2.50.', {
          field: 'usd',
        })
      const grant = { accountId: overview.id, micros, ...actorAndReason(request, reason) }
      if ((await giveCredit(db, grant)) === null)
        throw refused('The account is deleted; no credit was added.', { field: 'id' })
      return DONE
    })

    app.post('/account/operator/accounts/:id/suspend', { schema: actSchema }, async (request) => {
      const { id: accountId } = (await known(request.params.id)).overview
      if (accountId === visitorOf(request).accountId)
        throw refused('This is your own account; suspend it by command.', { field: 'id' })
      const act = { accountId, ...actorAndReason(request, request.body.reason) }
      if ((await suspendAccount(db, act)) === null)
        throw refused('The account is already suspended, or deleted.', { field: 'id' })
      return DONE
    })

    app.post('/account/operator/accounts/:id/resume', { schema: actSchema }, async (request) => {
      const { id: accountId } = (await known(request.params.id)).overview
      const act = { accountId, ...actorAndReason(request, request.body.reason) }
      if (!(await resumeAccount(db, act)))
        throw refused('The account is not suspended.', { field: 'id' })
      return DONE
    })
  }
}

type Days = Awaited<ReturnType<typeof readDays>>

function presentWithDays(account: AccountDetails['overview'], days: Days) {
  const shown = (days.get(account.id) ?? []).map(({ day, transcripts, chargedMicros }) =>
    presentCharged({ day, transcripts, chargedMicros }),
  )
  return { ...presentAccount(account), days: shown }
}

function presentDetails(account: AccountDetails, days: Days): Reply<'OperatorAccountDetails'> {
  const { overview, users, keys, usage } = account
  return {
    ...presentWithDays(overview, days),
    users: users.map(
      ({ email, hasPassword, passkeys, providers, sessions }) =>
        `${email}: ${[
          ...(hasPassword ? ['password'] : []),
          ...(passkeys > 0 ? [counted(passkeys, 'passkey')] : []),
          ...providers,
          counted(sessions, 'session'),
        ].join(', ')}`,
    ),
    keys: keys.map(({ name, prefix, revokedAt }) => ({ name, prefix, revokedAt })),
    openJobs: account.openJobs.map(presentOwnedJob),
    acts: account.acts.map(presentAct),
    today: presentUsage(usage.today),
    last30Days: presentUsage(usage.last30Days),
  }
}
