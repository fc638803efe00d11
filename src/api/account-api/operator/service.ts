/** /account/operator/health and the other addresses of the console about the whole service. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { presentClients } from '../../../admin/client-commands.ts'
import { presentLoggedAct } from '../../../admin/operator-commands.ts'
import { runDoctor } from '../../../admin/doctor.ts'
import { presentHealth, presentSettings } from '../../../admin/service-commands.ts'
import type { ApiContext } from '../../api-context.ts'
import { LIMITS } from '../../../config/config.ts'
import {
  checkLedger,
  type CheckName,
  findLatestCheck,
  readLog,
} from '../../../features/operator/acts.ts'
import { readHealth } from '../../../features/operator/service.ts'
import {
  listDeliveryHours,
  readFailingWebhooks,
  readStorage,
} from '../../../features/operator/storage.ts'
import { Problem } from '../../../kit/problem.ts'
import { answering, REPLIES } from '../replies.ts'
import { visitorOf } from '../visitor.ts'

const logSchema = {
  ...answering(REPLIES.OperatorLog),
  querystring: Type.Object({
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  }),
}

export function operatorServiceRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db, config, watch, servers } = ctx
  return async (app) => {
    app.get('/account/operator/health', { schema: answering(REPLIES.OperatorHealth) }, async () => {
      const { clients } = await presentClients(ctx)
      const drifts = config.ROLES.has('worker') ? watch.lines() : null
      return { ...presentHealth(await readHealth(db), await servers.refused()), clients, drifts }
    })

    const deliveries = answering(REPLIES.OperatorDeliveries)
    app.get('/account/operator/deliveries', { schema: deliveries }, async () => ({
      hours: await listDeliveryHours(db),
      webhooks: await readFailingWebhooks(db),
    }))

    const storage = answering(REPLIES.OperatorStorage)
    app.get('/account/operator/storage', { schema: storage }, () => readStorage(db, config))

    const settings = answering(REPLIES.OperatorSettings)
    app.get('/account/operator/settings', { schema: settings }, async () => ({
      settings: presentSettings(config),
    }))

    app.get('/account/operator/acts', { schema: logSchema }, async ({ query }) => {
      const before = query.before === undefined ? null : BigInt(query.before)
      const { acts, nextBefore } = await readLog(db, { before, limit: LIMITS.consolePage })
      const next = nextBefore === null ? null : Number(nextBefore)
      return { acts: acts.map(presentLoggedAct), nextBefore: next }
    })
  }
}

/** Routes of /account/operator/checks: ledger and doctor, each once at a time in this process. */
export function operatorCheckRoutes(ctx: ApiContext): FastifyPluginAsyncTypebox {
  const { db } = ctx
  const running = new Set<CheckName>()
  async function once(act: CheckName, check: () => Promise<unknown>) {
    if (running.has(act))
      throw new Problem('rate_limited', {
        message: 'This check is running; its result will appear here.',
        headers: { 'Retry-After': '10' },
      })
    running.add(act)
    try {
      await check()
    } finally {
      running.delete(act)
    }
    return readChecks()
  }
  async function readChecks() {
    const latest = async (act: CheckName) => {
      const found = await findLatestCheck(db, act)
      return found === null ? null : presentLoggedAct(found)
    }
    return { ledger: await latest('verify_ledger'), doctor: await latest('run_doctor') }
  }
  const schema = answering(REPLIES.OperatorChecks)
  return async (app) => {
    app.get('/account/operator/checks', { schema }, readChecks)
    app.post('/account/operator/checks/ledger', { schema }, async (request) => {
      const { accountId: actor } = visitorOf(request)
      return once('verify_ledger', () => checkLedger(db, actor))
    })
    app.post('/account/operator/checks/doctor', { schema }, async (request) => {
      const { accountId: actor } = visitorOf(request)
      return once('run_doctor', () => runDoctor(ctx, { channel: null, actor }))
    })
  }
}
