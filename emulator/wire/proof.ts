/** Tokens of proof: what guarded captions want, bound to the video; and the provider that gives them to tests. */
import type { JsonObject } from '../call.ts'
import { hashText, hexOf, mix } from '../random.ts'

const LIFE_MS = 6 * 3_600_000

/** Returns the one token that proves a caller of this video. */
export function proofOf(seed: number, videoId: string): string {
  return `Mn${hexOf(mix(seed, hashText(`proof of ${videoId}`)), 60)}=`
}

/** Returns the answer of a provider of tokens to `POST …/get_pot`; null where the body binds it to nothing. */
export function providerAnswer(seed: number, body: JsonObject): JsonObject | null {
  const { content_binding: contentBinding } = body
  if (typeof contentBinding !== 'string' || contentBinding === '') return null
  const expiresAt = new Date(Date.now() + LIFE_MS).toISOString()
  return { poToken: proofOf(seed, contentBinding), contentBinding, expiresAt }
}
