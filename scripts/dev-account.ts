/** The account that `npm run dev` hands out: credit, an API key, and a user with a password. */
import { randomUUID } from 'node:crypto'
import { claimAddress, confirmAddress, mailForClaim } from '../src/features/accounts/sign-up.ts'
import { createAccountWithKey } from '../src/features/accounts/account.ts'
import { openPasswordPool } from '../src/features/accounts/password-pool.ts'
import type { DatabaseContext } from '../src/context.ts'

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

/** Signs the user up and confirms the address as its mailed link would. May be repeated. */
export async function createDevUser({
  db,
  config,
}: Pick<DatabaseContext, 'db' | 'config'>): Promise<void> {
  const { email } = DEV_USER
  if ((await mailForClaim(db, config, email)) !== 'link') return
  const passwords = openPasswordPool({ cost: config.passwordCost })
  try {
    const browser = randomUUID()
    const password = await passwords.hash(DEV_USER.password)
    const token = await claimAddress(db, { email, password, browser })
    await confirmAddress({ db, config, passwords }, { token, browser, password: null })
  } finally {
    await passwords.close()
  }
}
