/** /account/export.zip and /account/delete: taking everything along, and leaving for good. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { deleteAccount, eraseAccount } from '../../features/accounts/delete-account.ts'
import { exportAccount } from '../../features/accounts/export-account.ts'
import type { ApiContext } from '../api-context.ts'
import { formatUsd } from '../../model/money/money.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { sendZip } from '../../features/transcripts/send-zip.ts'
import { Problem } from '../../kit/problem.ts'
import { readBackups } from '../../features/operator/storage.ts'
import { openSigner } from '../../features/money/receipts.ts'
import type { AfterAnswer } from './auth-answers.ts'
import { BYTES, REPLIES } from './replies.ts'
import { visitorOf } from './visitor.ts'

const exportSchema = { hide: true, response: { 200: BYTES } }
const deleteSchema = {
  hide: true,
  body: Type.Object(
    { email: Type.String({ maxLength: 320 }), givesUpMoney: Type.Boolean() },
    { additionalProperties: false },
  ),
  response: { 200: REPLIES.Done },
}

export function leavingRoutes(
  ctx: ApiContext,
  { afterAnswer }: { afterAnswer: AfterAnswer },
): FastifyPluginAsyncTypebox {
  const { db, config, downloads, publicUrl, log } = ctx
  const signer = openSigner(db, config.RECEIPT_SIGNING_KEY)
  return async (app) => {
    const options = { schema: exportSchema, exposeHeadRoute: false }
    app.get('/account/export.zip', options, async (request, reply) => {
      const { accountId } = visitorOf(request)
      downloads.begin(accountId, reply)
      const made = await exportAccount(ctx, {
        accountId,
        signer,
        issuer: publicUrl,
        now: ctx.now(),
      })
      if (made === null) throw new Problem('not_found')
      const zip = sendZip(made.files)
      zip.once('error', (error) => log.error({ err: error, accountId }, 'an export broke off'))
      return reply
        .header('Content-Disposition', `attachment; filename="${made.name}"`)
        .header('Cache-Control', 'no-store')
        .type('application/zip')
        .send(zip)
    })

    app.post('/account/delete', { schema: deleteSchema }, async (request, reply) => {
      const { accountId, email, signedInAt } = visitorOf(request)
      const { givesUpMoney } = request.body
      if (request.body.email.trim().toLowerCase() !== email.toLowerCase())
        throw refused(`Type ${email} to delete this account.`, 'email')
      const ageMs = ctx.now().getTime() - signedInAt.getTime()
      if (ageMs > LIMITS.freshSignInSeconds * 1_000) throw notFresh()
      // A folder that cannot be read does not stop the deletion; the console's storage says so.
      const { files } = await readBackups(db, config)
      const deletion = await deleteAccount(db, {
        accountId,
        actor: 'owner', // the log outlives the account, and holds no name then
        reason: 'deleted by its owner on the website',
        leftMoney: givesUpMoney ? 'given-up' : null,
        backups: files,
      })
      if (deletion.kind === 'has_money') throw moneyLeft(deletion.micros)
      // Where the erasure is interrupted, any process takes it up again within minutes.
      afterAnswer(reply, async () => void (await eraseAccount(db, accountId)))
      reply.header('Cache-Control', 'no-store')
      return { status: true as const }
    })
  }
}

function refused(message: string, field: string): Problem {
  return new Problem('invalid_request', { message, field })
}

function notFresh(): Problem {
  const minutes = LIMITS.freshSignInSeconds / 60
  return new Problem('invalid_request', {
    status: 403,
    message: `Sign out and in again first: an account can be deleted within ${minutes} minutes of signing in.`,
  })
}

function moneyLeft(micros: bigint): Problem {
  return refused(
    `${formatUsd(micros)} USD are left. Ask for them back before, or say that you give them up.`,
    'givesUpMoney',
  )
}
