/**
 * The account API: what the website needs beyond the public one. It stands behind the session cookie
 * and answers pages of our own origin only; it is no part of the contract of the public API.
 */
import assert from 'node:assert/strict'
import type { FastifyPluginAsync } from 'fastify'
import { openAuth } from '../../features/accounts/auth.ts'
import type { ApiContext } from '../api-context.ts'
import { resetRoutes, signUpRoutes } from './address-routes.ts'
import { afterAnswers, knownDevices } from './auth-answers.ts'
import { appRoutes, jobMailRoutes, keyRoutes } from './access.ts'
import { authRoutes } from './auth-routes.ts'
import { addressChangeRoutes, keepAddressRoutes } from './change-address.ts'
import { consentRoutes } from './consent.ts'
import { accountFileRoutes } from './files.ts'
import { leavingRoutes } from './leaving.ts'
import { invoiceRoutes, moneyRoutes, spendingRoutes, topUpRoutes } from './money.ts'
import { operatorRoutes } from './operator/routes.ts'
import { previewRoutes } from './preview-sources.ts'
import { sessionRoutes, visitRoutes } from './session.ts'
import { statusRoutes } from './status.ts'
import { meterVisitors, requireOwnPage, requireSession } from './visitor.ts'

export function accountApi(ctx: ApiContext): FastifyPluginAsync {
  return async (app) => {
    const auth = await openAuth(ctx, ctx.publicUrl)
    const devices = knownDevices(auth, ctx.publicUrl)
    const { afterAnswer, settled } = afterAnswers(ctx.log)
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
    await app.register(authRoutes(ctx, auth, devices))
    await app.register(signUpRoutes(ctx, auth, { devices, afterAnswer }))
    await app.register(resetRoutes(ctx, auth, { devices, afterAnswer }))
    await app.register(keepAddressRoutes(ctx, auth, { afterAnswer }))
    await app.register(async (pages) => {
      pages.addHook('onRequest', meterVisitors(ctx, auth))
      await pages.register(visitRoutes(ctx, auth))
      await pages.register(sessionRoutes(ctx, auth))
      await pages.register(async (guarded) => {
        guarded.addHook('onRequest', requireSession)
        await guarded.register(keyRoutes(ctx))
        await guarded.register(jobMailRoutes(ctx))
        await guarded.register(appRoutes(ctx))
        await guarded.register(consentRoutes(ctx))
        await guarded.register(moneyRoutes(ctx))
        await guarded.register(spendingRoutes(ctx))
        await guarded.register(invoiceRoutes(ctx))
        await guarded.register(topUpRoutes(ctx))
        await guarded.register(previewRoutes())
        await guarded.register(accountFileRoutes(ctx))
        await guarded.register(addressChangeRoutes(ctx, auth, { devices, afterAnswer }))
        await guarded.register(leavingRoutes(ctx, { afterAnswer }))
        await guarded.register(operatorRoutes(ctx))
      })
    })
  }
}
