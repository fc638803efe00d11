/**
 * /account/address, …/confirm, …/keep: another address for an account. Answers are the same, and take the same time,
 * whether the new address is known or not: work that depends on that happens after the answer.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  cancelAddressChange,
  confirmAddressChange,
  isAddressTaken,
  startAddressChange,
} from '../../features/accounts/address-change.ts'
import { limitGuesses, limitMails, limitVisitor } from '../../features/accounts/attempt-limits.ts'
import { findPasswordOf } from '../../features/accounts/access.ts'
import {
  type AccountContext,
  changeAddressSchema,
  confirmSchema,
  keepSchema,
  requireAddress,
  voidLink,
} from './auth-answers.ts'
import { DONE } from './replies.ts'
import { FRESH_MINUTES, refused, requireFreshSignIn, type Visitor, visitorOf } from './visitor.ts'

const NOT_FRESH = `Sign out and in again first: the address can be changed within ${FRESH_MINUTES} minutes of signing in.`
const VOID_HERE =
  'This link is no longer valid, or it belongs to another account than the one that you are signed in to.'
const TAKEN_MEANWHILE = 'This address has an account of its own by now. Nothing was changed.'

/** Routes of signed-in visitors: to ask for another address, and to open the link that was mailed there. */
export function addressChangeRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { db, pool, auth, devices, afterAnswer } = ctx
  /** Requires the password, or a sign-in of the last minutes where there is none: a browser left open is not enough. */
  const requireOwner = async (
    visitor: Visitor,
    { ip, password }: { ip: string; password: string | undefined },
  ): Promise<void> => {
    const hash = await findPasswordOf(db, visitor.userId)
    if (hash === null) return requireFreshSignIn(ctx, visitor, NOT_FRESH)
    const { inTurn, verify } = auth.passwords
    const isOwner = (given: string): Promise<boolean> =>
      inTurn({ ip, isKnown: true }, () => verify({ password: given, hash }))
    if (password === undefined || !(await isOwner(password)))
      throw refused('The password is wrong.', { field: 'password' })
  }
  return async (app) => {
    app.post('/account/address', { schema: changeAddressSchema }, async (request, reply) => {
      const visitor = visitorOf(request)
      const { ip } = request
      const { userId, email: oldEmail } = visitor
      const newEmail = requireAddress(request.body.email)
      if (newEmail === oldEmail)
        throw refused('The account already uses this address.', { field: 'email' })
      const device = devices.find(request, oldEmail)
      await limitGuesses(pool, { ip, email: oldEmail, device })
      await requireOwner(visitor, { ip, password: request.body.password })
      for (const email of [newEmail, oldEmail])
        await limitMails(db, { ip, email, device, isToStranger: false })

      const change = { userId, oldEmail, newEmail }
      const { confirmToken, stopToken } = await startAddressChange(db, change)
      afterAnswer(reply, async () => {
        await auth.emails.leaving(oldEmail, { newEmail, token: stopToken })
        if (await isAddressTaken(db, newEmail)) await auth.emails.taken(newEmail)
        else await auth.emails.moving(newEmail, confirmToken)
      })
      return DONE
    })

    app.post('/account/address/confirm', { schema: confirmSchema }, async (request, reply) => {
      await limitVisitor(pool, request)
      const { userId } = visitorOf(request)
      const change = await confirmAddressChange(db, { token: request.body.token, userId })
      if (change.kind === 'void') throw refused(VOID_HERE)
      if (change.kind === 'taken') throw refused(TAKEN_MEANWHILE, { status: 409 })
      devices.keep(reply, change.newEmail)
      afterAnswer(reply, () =>
        auth.emails.left(change.oldEmail, { newEmail: change.newEmail, token: change.undoToken }),
      )
      return DONE
    })
  }
}

/** Routes for the reader of the old address's mail, signed in or not. */
export function keepAddressRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { db, pool, auth, afterAnswer } = ctx
  return async (app) => {
    app.post('/account/address/keep', { schema: keepSchema }, async (request, reply) => {
      await limitVisitor(pool, request)
      const change = await cancelAddressChange(db, request.body.token)
      if (change.kind === 'void') throw voidLink()
      if (change.kind === 'taken') throw refused(TAKEN_MEANWHILE, { status: 409 })
      afterAnswer(reply, () => auth.sendReset(change.email))
      return { email: change.email, ended: change.ended }
    })
  }
}
