/** GET /.well-known/scriptorium-keys.json: every public key that ever signed a receipt. No key needed. */
import type { FastifyPluginAsync } from 'fastify'
import { LIMITS } from '../../config.ts'
import { openSigner, readPublishedKeys } from '../../receipts/signer.ts'
import type { ApiContext } from '../api-context.ts'

export function wellKnownRoutes({ db, config }: ApiContext): FastifyPluginAsync {
  const signer = openSigner(db, config.RECEIPT_SIGNING_KEY)
  return async (app) => {
    app.get(
      '/.well-known/scriptorium-keys.json',
      { schema: { hide: true } },
      async (_request, reply) => {
        reply
          .header('Cache-Control', `public, max-age=${LIMITS.publicKeysKeptSeconds}`)
          .header('Access-Control-Allow-Origin', '*')
        return { keys: await readPublishedKeys(db, signer) }
      },
    )
  }
}
