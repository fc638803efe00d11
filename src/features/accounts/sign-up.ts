/** Signs people up: at first an address is only claimed; the link that is mailed to it makes the user. */
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { type Config, LIMITS } from '../../config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import { createToken, hashSecret, isToken, SECRET_BYTES } from '../../model/accounts/tokens.ts'
import { findAccount } from '../../store/accounts.ts'
import type { Db } from '../../store/database.ts'
import { insertUser, isUserKnown } from '../../store/sign-in.ts'
import { deleteSignUps, findSignUp, insertSignUp } from '../../store/address-changes.ts'
import type { PasswordPool } from './password-pool.ts'

/**
 * Keeps the claim apart from all users until its mailed link is opened, so that it changes nothing for the address's
 * real owner. `password` is hashed, `browser` is what the cookie of the claiming browser carries. Returns the
 * token for the mail. It does the same work for every address, known or not.
 */
export async function claimAddress(
  db: Db,
  { email, password, browser }: { email: string; password: string; browser: string },
): Promise<string> {
  const token = createToken(randomBytes(SECRET_BYTES))
  await insertSignUp(db, {
    tokenHash: hashSecret(token),
    browserHash: hashSecret(browser),
    email,
    password,
    lifetimeSeconds: LIMITS.mailedLinkSeconds,
  })
  return token
}

/** Returns what is mailed to a claimed address: the link, a note that there is a user already, or nothing. */
export async function mailForClaim(
  db: Db,
  config: Config,
  email: string,
): Promise<'link' | 'known' | null> {
  if (await isUserKnown(db, email)) return 'known'
  return (await mayHaveUser(db, config, email)) ? 'link' : null
}

/**
 * Returns whether the address may have a user. Where sign-up is closed, only addresses may to which an operator gave an
 * account.
 */
export async function mayHaveUser(db: Db, { SIGN_UP }: Config, email: string): Promise<boolean> {
  return SIGN_UP === 'open' || (await findAccount(db, email)) !== null
}

// Confirms an address. Opening the mailed link proves that the visitor has the address; the browser that signed up, or
// the password chosen then, proves that they also chose the password. A user needs both.

type Confirmation =
  | { kind: 'confirmed'; userId: string; email: string }
  /**
   * The link was opened in another browser than the one that signed up: the visitor has to enter the password chosen
   * then.
   */
  | { kind: 'password_needed' }
  | { kind: 'wrong_password' }
  /** The link is unknown, too old or used, or the address has a user by now. */
  | { kind: 'void' }

/**
 * Confirms the address. `browser` is what the sign-up's cookie carries, null where there is none. Works once for a
 * link.
 */
export async function confirmAddress(
  { db, config, passwords }: { db: Db; config: Config; passwords: PasswordPool },
  { token, browser, password }: { token: string; browser: string | null; password: string | null },
): Promise<Confirmation> {
  const tokenHash = hashSecret(token)
  const signUp = isToken(token) ? await findSignUp(db, tokenHash) : null
  if (signUp === null || !(await mayHaveUser(db, config, signUp.email))) return { kind: 'void' }

  const isSameBrowser = browser !== null && timingSafeEqual(hashSecret(browser), signUp.browserHash)
  if (!isSameBrowser) {
    if (password === null) return { kind: 'password_needed' }
    if (!(await passwords.verify({ password, hash: signUp.password })))
      return { kind: 'wrong_password' }
  }
  const { email } = signUp
  const userId = randomUUID()
  return transact(db, async (tx) => {
    // Other sign-ups for the address end with this one, whatever their state.
    const isMade = await insertUser(tx, { id: userId, email, password: signUp.password })
    await deleteSignUps(tx, email)
    return isMade ? { kind: 'confirmed', userId, email } : { kind: 'void' }
  })
}
