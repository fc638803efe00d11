/**
 * Seals a text for a purpose and a time: it can be shown later, and only this installation can have made
 * it. Signed with the installation's secret, not encrypted.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Seal = {
  /** Returns the text sealed for `lifetimeSeconds` from now. */
  close(text: string, lifetimeSeconds: number): string
  /** Returns the text; null where it was not sealed here for this purpose, or is too old. */
  open(sealed: string): string | null
}

export function createSeal({
  secret,
  purpose,
  now,
}: {
  secret: string
  purpose: string
  now: () => Date
}): Seal {
  const nowSeconds = (): number => Math.floor(now().getTime() / 1000)
  const sign = (body: string): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:${body}`).digest()
  return {
    close(text, lifetimeSeconds) {
      const body = `${Buffer.from(text).toString('base64url')}.${nowSeconds() + lifetimeSeconds}`
      return `${body}.${sign(body).toString('base64url')}`
    },
    open(sealed) {
      const [text = '', until = '', signature = '', ...rest] = sealed.split('.')
      const [given, wanted] = [Buffer.from(signature, 'base64url'), sign(`${text}.${until}`)]
      const isOurs =
        rest.length === 0 && given.length === wanted.length && timingSafeEqual(given, wanted)
      return isOurs && Number(until) > nowSeconds()
        ? Buffer.from(text, 'base64url').toString()
        : null
    },
  }
}
