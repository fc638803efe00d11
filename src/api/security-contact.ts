/** /.well-known/security.txt (RFC 9116): whom to tell of a vulnerability. */
import type { Config } from '../kit/config/config.ts'
import { ConfigError } from '../kit/config/settings.ts'

export type SecurityContact = { text: string; expiresAt: Date }

const DAY_MS = 86_400_000
/** The most days until it expires: the year that RFC 9116 recommends, and the day more of a leap year. */
const DAYS_MAX = 366

/**
 * Returns the contact; null where the operator set none. Throws one sentence for half a setting, and for a date too far
 * away.
 */
export function securityContact(
  {
    SECURITY_CONTACT: contact,
    SECURITY_EXPIRES: expires,
  }: Pick<Config, 'SECURITY_CONTACT' | 'SECURITY_EXPIRES'>,
  { publicUrl, now }: { publicUrl: string; now: Date },
): SecurityContact | null {
  if (contact === null) return null
  if (expires === null)
    throw new ConfigError(
      'SECURITY_EXPIRES must be set with SECURITY_CONTACT: security.txt says until when its contact is good',
    )
  const expiresAt = new Date(`${expires}T00:00:00Z`)
  if (expiresAt.getTime() > now.getTime() + DAYS_MAX * DAY_MS)
    throw new ConfigError(
      `SECURITY_EXPIRES is ${expires}: set it to a day at most a year away, and anew before it comes`,
    )
  const text = [
    `Contact: ${contact}`,
    `Expires: ${expiresAt.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ].join('\n')
  return { text: `${text}\n`, expiresAt }
}
