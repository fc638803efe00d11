/**
 * The account API: what the website needs beyond the public one. It stands behind the session cookie
 * and answers pages of our own origin only; it is no part of the contract of the public API.
 */
import assert from 'node:assert/strict'
import type { FastifyPluginAsync } from 'fastify'
import { openAuth } from '../../features/accounts/auth.ts'
import type { ApiContext } from '../api-context.ts'
import { resetRoutes, signUpRoutes } from './address-routes.ts'
import { type AccountContext, afterAnswers, betterAuthAt, knownDevices } from './auth-answers.ts'
import { appRoutes, jobMailRoutes, keyRoutes } from './access.ts'
import { authRoutes } from './auth-routes.ts'
import { addressChangeRoutes, keepAddressRoutes } from './change-address.ts'
import { consentRoutes } from './consent.ts'
import { accountFileRoutes } from './files.ts'
import { firstRunRoutes } from './first-run.ts'
import { leavingRoutes } from './leaving.ts'
import { invoiceRoutes, moneyRoutes, spendingRoutes, topUpRoutes } from './money.ts'
import { orderRoutes } from './orders.ts'
import { otherTextRoutes } from './other-texts.ts'
import { operatorRoutes } from './operator/routes.ts'
import { previewRoutes } from './preview-sources.ts'
import { sessionRoutes, visitRoutes } from './session.ts'
import { statusRoutes } from './status.ts'
import { meterVisitors, requireOwnPage, requireSession } from './visitor.ts'

export function accountApi(api: ApiContext): FastifyPluginAsync {
  return async (app) => {
    const auth = await openAuth(api, api.publicUrl)
    const { afterAnswer, settled } = afterAnswers(api.log)
    const ctx: AccountContext = {
      ...api,
      auth,
      askBetterAuth: betterAuthAt(auth, api.publicUrl),
      devices: knownDevices(auth, api.publicUrl),
      afterAnswer,
    }
    app.addHook('onClose', async () => {
      await settled()
      await auth.close()
    })
    // The site is typed from the schemas: without a schema the site would not know the answer's type.
    app.addHook('onRoute', ({ method, url, schema }) => {
      assert(schema?.response !== undefined, `${String(method)} ${url} says what it answers`)
    })
    app.decorateRequest('visitor', null)
    app.addHook('onRequest', requireOwnPage(ctx.publicUrl))
    await app.register(statusRoutes(ctx))
    await app.register(authRoutes(ctx))
    await app.register(signUpRoutes(ctx))
    await app.register(resetRoutes(ctx))
    await app.register(firstRunRoutes(ctx))
    await app.register(keepAddressRoutes(ctx))
    await app.register(async (pages) => {
      pages.addHook('onRequest', meterVisitors(ctx))
      await pages.register(visitRoutes(ctx))
      await pages.register(sessionRoutes(ctx))
      await pages.register(async (guarded) => {
        guarded.addHook('onRequest', requireSession)
        await guarded.register(keyRoutes(ctx))
        await guarded.register(jobMailRoutes(ctx))
        await guarded.register(appRoutes(ctx))
        await guarded.register(consentRoutes(ctx))
        await guarded.register(orderRoutes(ctx))
        await guarded.register(otherTextRoutes(ctx))
        await guarded.register(moneyRoutes(ctx))
        await guarded.register(spendingRoutes(ctx))
        await guarded.register(invoiceRoutes(ctx))
        await guarded.register(topUpRoutes(ctx))
        await guarded.register(previewRoutes(ctx))
        await guarded.register(accountFileRoutes(ctx))
        await guarded.register(addressChangeRoutes(ctx))
        await guarded.register(leavingRoutes(ctx))
        await guarded.register(operatorRoutes(ctx))
      })
    })
  }
}
