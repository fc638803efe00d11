/**
 * Signs up: a claim to an address is kept apart from all users until its mailed link is opened
 * (confirm-address.ts), so that a claim changes nothing for the address's real owner.
 */
import { randomBytes } from 'node:crypto'
import { LIMITS, type Config } from '../../kit/config/config.ts'
import { findAccount } from '../../store/accounts.ts'
import type { Db } from '../../store/database.ts'
import { isUserKnown } from '../../store/sign-in.ts'
import { insertSignUp } from '../../store/sign-ups.ts'
import { createToken, hashOf, TOKEN_BYTES } from '../../model/accounts/token.ts'

/**
 * Keeps the claim; `password` is hashed, `browser` is what the cookie of the claiming browser carries.
 * Returns the token for the mail. The same work for every address, known or not.
 */
export async function claimAddress(
  db: Db,
  { email, password, browser }: { email: string; password: string; browser: string },
): Promise<string> {
  const token = createToken(randomBytes(TOKEN_BYTES))
  await insertSignUp(db, {
    tokenHash: hashOf(token),
    browserHash: hashOf(browser),
    email,
    password,
    lifetimeSeconds: LIMITS.mailedLinkSeconds,
  })
  return token
}

/** What is mailed to a claimed address: the link, word that there is a user already, or nothing. */
export type ClaimMail = 'link' | 'known' | null

export async function mailForClaim(db: Db, config: Config, email: string): Promise<ClaimMail> {
  if (await isUserKnown(db, email)) return 'known'
  return (await mayHaveUser(db, config, email)) ? 'link' : null
}

/** With sign-up closed only addresses that an operator gave an account may be used. */
export async function mayHaveUser(
  db: Db,
  { SIGN_UP }: Pick<Config, 'SIGN_UP'>,
  email: string,
): Promise<boolean> {
  return SIGN_UP === 'open' || (await findAccount(db, email)) !== null
}
