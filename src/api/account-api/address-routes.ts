/**
 * /account/auth/sign-up/email, verify-email, request-password-reset, reset-password, revoke-access: what is done by
 * mail. Answers are the same, and take the same time, whether an address is known or not: work that depends on that
 * happens after the answer.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AUTH_BASE, cookieJar } from '../../model/accounts/sign-in.ts'
import { claimAddress, confirmAddress, mailForClaim } from '../../features/accounts/sign-up.ts'
import {
  limitLinkGuesses,
  limitMails,
  limitVisitor,
} from '../../features/accounts/attempt-limits.ts'
import { countAccess, revokeAllAccess } from '../../features/accounts/access.ts'
import { createToken, isToken, SECRET_BYTES } from '../../model/accounts/tokens.ts'
import { LIMITS } from '../../config/config.ts'
import { Problem } from '../../kit/problem.ts'
import {
  type AccountContext,
  signInSchema,
  emailSchema,
  grantSchema,
  headersOf,
  requireAddress,
  requireStrong,
  resetSchema,
  takeAnswer,
  verifySchema,
  voidLink,
} from './auth-answers.ts'
import { DONE } from './replies.ts'
import { refused } from './visitor.ts'

/** How long after a reset its page may revoke the account's keys and passkeys, in seconds. */
const REVOKE_GRANT_SECONDS = 900

export function signUpRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { db, pool, config, auth } = ctx
  const jar = cookieJar(ctx.publicUrl, 'sign_up')
  return async (app) => {
    app.post(`${AUTH_BASE}/sign-up/email`, { schema: signInSchema }, async (request, reply) => {
      const { password } = request.body
      const email = requireAddress(request.body.email)
      requireStrong(password, email)
      const device = ctx.devices.find(request, email)
      const isToStranger = config.SIGN_UP === 'open' // else only addresses with an account are mailed
      await limitMails(db, { ip: request.ip, email, device, isToStranger })

      const held = jar.read(request.headers.cookie)
      const browser = held !== null && isToken(held) ? held : createToken(randomBytes(SECRET_BYTES))
      const who = { ip: request.ip, isKnown: device !== null }
      const hash = await auth.passwords.inTurn(who, () => auth.passwords.hash(password))
      const token = await claimAddress(db, { email, password: hash, browser })
      ctx.afterAnswer(reply, async () => {
        const which = await mailForClaim(db, config, email)
        if (which === 'link') await auth.emails.confirm(email, token)
        if (which === 'known') await auth.emails.known(email)
      })
      reply.header('Set-Cookie', jar.keep(browser, LIMITS.mailedLinkSeconds))
      return DONE
    })

    app.post(`${AUTH_BASE}/verify-email`, { schema: verifySchema }, async (request, reply) => {
      const { token, password = null } = request.body
      if (password === null) await limitVisitor(pool, request)
      else await limitLinkGuesses(pool, { ip: request.ip, token })
      const browser = jar.read(request.headers.cookie)
      const confirm = () =>
        confirmAddress({ db, config, passwords: auth.passwords }, { token, browser, password })
      const who = { ip: request.ip, isKnown: false }
      const outcome =
        password === null ? await confirm() : await auth.passwords.inTurn(who, confirm)
      switch (outcome.kind) {
        case 'void':
          throw voidLink()
        case 'password_needed':
          return { state: 'password_needed' as const }
        case 'wrong_password':
          throw new Problem('unauthorized', {
            message: 'This is not the password chosen at sign-up.',
          })
        case 'confirmed':
          await takeAnswer(await auth.signIn(headersOf(request), outcome.userId), reply)
          ctx.devices.keep(reply, outcome.email)
          return { state: 'signed_in' as const }
        default:
          return outcome satisfies never
      }
    })
  }
}

export function resetRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { db, pool, auth } = ctx
  return async (app) => {
    app.post(
      `${AUTH_BASE}/request-password-reset`,
      { schema: emailSchema },
      async (request, reply) => {
        const email = requireAddress(request.body.email)
        const device = ctx.devices.find(request, email)
        await limitMails(db, { ip: request.ip, email, device, isToStranger: false })
        ctx.afterAnswer(reply, () => auth.sendReset(email))
        return DONE
      },
    )

    /** Answers with what else opens the account, and a grant to revoke it: a break-in may have led to the reset. */
    app.post(`${AUTH_BASE}/reset-password`, { schema: resetSchema }, async (request, reply) => {
      await limitVisitor(pool, request)
      const { token, newPassword } = request.body
      const owner = await auth.readReset(token)
      if (owner === null) throw voidLink()
      requireStrong(newPassword, owner.email)
      const who = { ip: request.ip, isKnown: true } // the link was mailed to the owner
      const reset = await auth.passwords.inTurn(who, () =>
        ctx.askBetterAuth(request, '/reset-password'),
      )
      await takeAnswer(reset, reply)
      ctx.devices.keep(reply, owner.email)
      return {
        ...(await countAccess(db, owner.userId)),
        grant: auth.grants.close(owner.userId, REVOKE_GRANT_SECONDS),
      }
    })

    app.post(`${AUTH_BASE}/revoke-access`, { schema: grantSchema }, async (request) => {
      await limitVisitor(pool, request)
      const userId = auth.grants.open(request.body.grant)
      if (userId === null)
        throw refused(
          'That took too long; sign in, and revoke keys and passkeys on the account page.',
        )
      return revokeAllAccess(db, userId)
    })
  }
}
