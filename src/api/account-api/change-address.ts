/**
 * /account/address, …/confirm, …/keep: another address for an account. Answers are the same, and take the same time,
 * whether the new address is known or not: work that depends on that happens after the answer.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readAddress } from '../../model/accounts/sign-in.ts'
import {
  cancelAddressChange,
  confirmAddressChange,
  isAddressTaken,
  startAddressChange,
} from '../../features/accounts/address-change.ts'
import type { Auth } from '../../features/accounts/auth.ts'
import { limitGuesses, limitMails, limitVisitor } from '../../features/accounts/attempt-limits.ts'
import { readPassword } from '../../features/accounts/access.ts'
import type { ApiContext } from '../api-context.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { Problem } from '../../kit/problem.ts'
import {
  type AfterAnswer,
  changeAddressBody,
  type KnownDevices,
  linkBody,
  noAddress,
  voidLink,
} from './auth-answers.ts'
import { REPLIES } from './replies.ts'
import { type Visitor, visitorOf } from './visitor.ts'

const hide = true
const done = { status: true } as const
const answersDone = { 200: REPLIES.Done }

type Deps = { devices: KnownDevices; afterAnswer: AfterAnswer }

/** Routes of signed-in visitors: to ask for another address, and to open the link that was mailed there. */
export function addressChangeRoutes(
  ctx: ApiContext,
  auth: Auth,
  { devices, afterAnswer }: Deps,
): FastifyPluginAsyncTypebox {
  const { db, pool } = ctx
  /** Requires the password, or a sign-in of the last minutes where there is none: a browser left open is not enough. */
  const requireOwner = async (
    { userId, signedInAt }: Visitor,
    password: string | undefined,
  ): Promise<void> => {
    const hash = await readPassword(db, userId)
    if (hash === null) {
      if (ctx.now().getTime() - signedInAt.getTime() > LIMITS.freshSignInSeconds * 1_000)
        throw notFresh()
    } else if (password === undefined || !(await auth.passwords.verify({ password, hash })))
      throw wrongPassword()
  }
  return async (app) => {
    app.post(
      '/account/address',
      { schema: { hide, body: changeAddressBody, response: answersDone } },
      async (request, reply) => {
        const visitor = visitorOf(request)
        const { ip } = request
        const { userId, email: oldEmail } = visitor
        const newEmail = readAddress(request.body.email)
        if (newEmail === null) throw noAddress()
        if (newEmail === oldEmail) throw sameAddress()
        const device = devices.find(request, oldEmail)
        await limitGuesses(pool, { ip, email: oldEmail, device })
        await requireOwner(visitor, request.body.password)
        for (const email of [newEmail, oldEmail]) await limitMails(pool, { ip, email })

        const { confirmToken, stopToken } = await startAddressChange(db, {
          userId,
          oldEmail,
          newEmail,
        })
        afterAnswer(reply, async () => {
          await auth.emails.leaving(oldEmail, { newEmail, token: stopToken })
          if (await isAddressTaken(db, newEmail)) await auth.emails.taken(newEmail)
          else await auth.emails.moving(newEmail, confirmToken)
        })
        reply.header('Cache-Control', 'no-store')
        return done
      },
    )

    app.post(
      '/account/address/confirm',
      { schema: { hide, body: linkBody, response: answersDone } },
      async (request, reply) => {
        await limitVisitor(pool, request)
        const { userId } = visitorOf(request)
        const change = await confirmAddressChange(db, { token: request.body.token, userId })
        if (change.kind === 'void') throw voidHere()
        if (change.kind === 'taken') throw takenMeanwhile()
        devices.keep(reply, change.newEmail)
        afterAnswer(reply, () =>
          auth.emails.left(change.oldEmail, { newEmail: change.newEmail, token: change.undoToken }),
        )
        reply.header('Cache-Control', 'no-store')
        return done
      },
    )
  }
}

/** Routes for the reader of the old address's mail, signed in or not. */
export function keepAddressRoutes(
  { db, pool }: ApiContext,
  auth: Auth,
  { afterAnswer }: Pick<Deps, 'afterAnswer'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/account/address/keep',
      { schema: { hide, body: linkBody, response: { 200: REPLIES.AddressKept } } },
      async (request, reply) => {
        await limitVisitor(pool, request)
        const change = await cancelAddressChange(db, request.body.token)
        if (change.kind === 'void') throw voidLink()
        if (change.kind === 'taken') throw takenMeanwhile()
        afterAnswer(reply, () => auth.sendReset(change.email))
        reply.header('Cache-Control', 'no-store')
        return { email: change.email, ended: change.ended }
      },
    )
  }
}

function refused(status: number, message: string, field?: string): Problem {
  return new Problem('invalid_request', {
    status,
    message,
    ...(field === undefined ? {} : { field }),
  })
}

function sameAddress(): Problem {
  return refused(400, 'This is the address of the account already.', 'email')
}

function wrongPassword(): Problem {
  return refused(400, 'The password is wrong.', 'password')
}

function notFresh(): Problem {
  const minutes = LIMITS.freshSignInSeconds / 60
  return refused(
    403,
    `Sign out and in again first: the address can be changed within ${minutes} minutes of signing in.`,
  )
}

function voidHere(): Problem {
  return refused(
    400,
    'This link is no longer valid, or it belongs to another account than the one that you are signed in to.',
  )
}

function takenMeanwhile(): Problem {
  return refused(409, 'This address has got an account of its own meanwhile. Nothing was changed.')
}
