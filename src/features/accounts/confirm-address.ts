/**
 * Confirms an address. Opening the mailed link proves that the visitor has the address; the browser that
 * signed up, or the password chosen then, proves that they also chose the password. A user needs both.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../kit/config/config.ts'
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { insertUser } from '../../store/sign-in.ts'
import { deleteSignUps, findSignUp } from '../../store/sign-ups.ts'
import type { PasswordPool } from './password-pool.ts'
import { mayHaveUser } from './sign-up.ts'
import { hashOf, isToken } from '../../model/accounts/token.ts'

export type Confirmation =
  | { kind: 'confirmed'; userId: string; email: string }
  /** Another browser than the one that signed up: it has to name the password chosen then. */
  | { kind: 'password_needed' }
  | { kind: 'wrong_password' }
  /** Unknown, too old, used, or the address has a user by now. */
  | { kind: 'void' }

type Deps = { db: Db; config: Config; passwords: PasswordPool }

/** `browser` is what the sign-up's cookie carries, null where there is none. Works once for a link. */
export async function confirmAddress(
  { db, config, passwords }: Deps,
  { token, browser, password }: { token: string; browser: string | null; password: string | null },
): Promise<Confirmation> {
  const tokenHash = hashOf(token)
  const signUp = isToken(token) ? await findSignUp(db, tokenHash) : null
  if (signUp === null || !(await mayHaveUser(db, config, signUp.email))) return { kind: 'void' }

  const isSameBrowser = browser !== null && timingSafeEqual(hashOf(browser), signUp.browserHash)
  if (!isSameBrowser) {
    if (password === null) return { kind: 'password_needed' }
    if (!(await passwords.verify({ password, hash: signUp.password })))
      return { kind: 'wrong_password' }
  }
  const { email } = signUp
  const userId = randomUUID()
  return transact(db, async (tx) => {
    // Other sign-ups for the address end with this one, whoever made them and however far they are.
    const isMade = await insertUser(tx, { id: userId, email, password: signUp.password })
    await deleteSignUps(tx, email)
    return isMade ? { kind: 'confirmed', userId, email } : { kind: 'void' }
  })
}
