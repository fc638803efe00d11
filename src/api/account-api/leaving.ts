/** /account/export.zip and /account/delete: taking everything along, and leaving for good. */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import { deleteAccount, eraseAccount } from '../../features/accounts/delete-account.ts'
import { exportAccount } from '../../features/accounts/export-account.ts'
import { closedObject } from '../contract.ts'
import { dollars } from '../../model/money/money.ts'
import { textsOf } from '../../features/transcripts/read-stored.ts'
import { sendZip } from '../../features/files/send-zip.ts'
import { Problem } from '../../kit/problem.ts'
import { readBackups } from '../../features/operator/storage.ts'
import { openSigner } from '../../features/money/receipts.ts'
import type { AccountContext } from './auth-answers.ts'
import { answering, answersDone, BYTES, DONE } from './replies.ts'
import { FRESH_MINUTES, refused, requireFreshSignIn, visitorOf } from './visitor.ts'

const deleteSchema = {
  ...answersDone,
  body: closedObject({ email: Type.String({ maxLength: 320 }), givesUpMoney: Type.Boolean() }),
}
const NOT_FRESH = `Sign out and in again first: an account can be deleted within ${FRESH_MINUTES} minutes of signing in.`

export function leavingRoutes(ctx: AccountContext): FastifyPluginAsyncTypebox {
  const { db, config, downloads, publicUrl, log } = ctx
  const signer = openSigner(db, config.RECEIPT_SIGNING_KEY)
  return async (app) => {
    const options = { schema: answering(BYTES), exposeHeadRoute: false }
    app.get('/account/export.zip', options, async (request, reply) => {
      const { accountId } = visitorOf(request)
      downloads.begin(accountId, reply)
      const makeRoom = (bytes: number) => downloads.holdLater(accountId, bytes)
      const order = { accountId, signer, issuer: publicUrl, now: ctx.now(), makeRoom }
      const made = await exportAccount(textsOf(ctx, accountId), order)
      if (made === null) throw new Problem('not_found')
      const zip = sendZip(made.files)
      zip.once('error', (error) => log.error({ err: error, accountId }, 'an export broke off'))
      return reply
        .header('Content-Disposition', `attachment; filename="${made.name}"`)
        .type('application/zip')
        .send(zip)
    })

    app.post('/account/delete', { schema: deleteSchema }, async (request, reply) => {
      const visitor = visitorOf(request)
      const { accountId, email } = visitor
      const { givesUpMoney } = request.body
      if (request.body.email.trim().toLowerCase() !== email.toLowerCase())
        throw refused(`Type ${email} to delete this account.`, { field: 'email' })
      requireFreshSignIn(ctx, visitor, NOT_FRESH)
      // A folder that cannot be read does not stop the deletion; the console's storage says so.
      const { files } = await readBackups(db, config)
      const deletion = await deleteAccount(db, {
        accountId,
        actor: 'owner', // the log outlives the account, and holds no name then
        reason: 'deleted by its owner on the website',
        leftMoney: givesUpMoney ? 'given-up' : null,
        backups: files,
      })
      if (deletion.kind === 'has_money')
        throw refused(
          `${dollars(deletion.micros)} is left. Ask for it back first, or say that you give it up.`,
          { field: 'givesUpMoney' },
        )
      // Where the erasure is interrupted, any process takes it up again within minutes.
      ctx.afterAnswer(reply, async () => void (await eraseAccount(db, accountId)))
      return DONE
    })
  }
}
