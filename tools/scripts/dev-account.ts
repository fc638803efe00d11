/** The account that `npm run dev` hands out: credit, an API key, and a user with a password, as the demo's has. */
import { randomUUID } from 'node:crypto'
import { claimAddress, confirmAddress, mailForClaim } from '../../src/features/accounts/sign-up.ts'
import { createAccountWithKey } from '../../src/features/accounts/account.ts'
import { openPasswordPool } from '../../src/features/accounts/password-pool.ts'
import type { DatabaseContext } from '../../src/context.ts'

export const DEV_USER = { email: 'dev@example.org', password: 'a-house-of-words-9' }
const CREDIT_MICROS = 100_000_000n

/** Creates the account and returns its API key. */
export async function createDevAccount({ db }: Pick<DatabaseContext, 'db'>): Promise<string> {
  const { apiKey } = await createAccountWithKey(db, {
    email: DEV_USER.email,
    micros: CREDIT_MICROS,
  })
  return apiKey
}

/** Makes the user of DEV_USER. May be repeated. */
export async function createDevUser(ctx: Pick<DatabaseContext, 'db' | 'config'>): Promise<void> {
  await createUser(ctx, DEV_USER)
}

/**
 * Signs a user up and confirms the address as its mailed link would. Returns the user's id; null where the address has
 * a user already.
 */
export async function createUser(
  { db, config }: Pick<DatabaseContext, 'db' | 'config'>,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  if ((await mailForClaim(db, config, email)) !== 'link') return null
  const passwords = openPasswordPool({
    cost: config.passwordCost,
    deadlines: config.deadlines,
  })
  try {
    const browser = randomUUID()
    const hashed = await passwords.hash(password)
    const token = await claimAddress(db, { email, password: hashed, browser })
    const made = await confirmAddress({ db, config, passwords }, { token, browser, password: null })
    return made.kind === 'confirmed' ? made.userId : null
  } finally {
    await passwords.close()
  }
}
