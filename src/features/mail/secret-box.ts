/**
 * Seals the secrets of webhooks, second factors and mails for the database, and what apps say of themselves, for their
 * ids: AES-256-GCM, bound to what they belong to.
 * The key is the setting WEBHOOK_SECRET_KEY or, without it, made from the installation's own secret; no backup holds
 * either.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from '../../store/database.ts'
import { ConfigError } from '../../kit/settings.ts'
import { ensureSignInSecret } from '../../store/sign-in.ts'

export type SecretBox = {
  seal(secret: string, boundTo: string): string
  /** Returns the text; null where it was sealed with another key, or bound to something else. */
  open(sealed: string, boundTo: string): string | null
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'
const VERSION = 'v1.'

/** Opens the box. `keyText` is WEBHOOK_SECRET_KEY, or null. Throws one sentence if it is not a key. */
export async function openSecretBox(db: Db, keyText: string | null): Promise<SecretBox> {
  if (keyText !== null) return boxOf(readKey(keyText))
  const secret = await ensureSignInSecret(db, randomBytes(48).toString('base64url'))
  return boxOf(Buffer.from(hkdfSync('sha256', secret, '', 'webhook secrets', KEY_BYTES)))
}

function readKey(text: string): Buffer {
  const key = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (key.length === KEY_BYTES) return key
  throw new ConfigError(
    'WEBHOOK_SECRET_KEY must be 32 bytes in base64 (openssl rand -base64 32); ' +
      'unset it for a key made from the database’s own secret',
  )
}

function boxOf(key: Buffer): SecretBox {
  return {
    seal(secret, boundTo) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(boundTo))
      const parts = [nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]
      return VERSION + Buffer.concat(parts).toString('base64url')
    },
    open(sealed, boundTo) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      // One sealed text has one spelling: base64url as it is read has many.
      if (sealed !== VERSION + bytes.toString('base64url')) return null
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
      cipher.setAAD(Buffer.from(boundTo)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const text = cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([text, cipher.final()]).toString()
      } catch {
        return null
      }
    },
  }
}
