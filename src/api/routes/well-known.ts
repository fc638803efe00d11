/**
 * GET /.well-known/scriptorium-keys.json: every public key that ever signed a receipt; and security.txt.
 * No key needed.
 */
import type { FastifyPluginAsync } from 'fastify'
import { LIMITS } from '../../kit/config/config.ts'
import { openSigner, readPublishedKeys } from '../../features/money/receipts.ts'
import { Problem } from '../../kit/problem.ts'
import type { ApiContext } from '../api-context.ts'
import { securityContact } from '../security-contact.ts'

export function wellKnownRoutes({ db, config, publicUrl, now }: ApiContext): FastifyPluginAsync {
  const contact = securityContact(config, { publicUrl, now: now() })
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
    if (contact === null) return
    app.get('/.well-known/security.txt', { schema: { hide: true } }, async (_request, reply) => {
      if (contact.expiresAt <= now()) throw new Problem('not_found')
      return reply.type('text/plain; charset=utf-8').send(contact.text)
    })
  }
}
