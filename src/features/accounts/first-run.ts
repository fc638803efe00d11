/**
 * The first run: whoever starts the service in a terminal makes its first account, the operator's, by a link with a
 * code that is printed there (docs/decisions/0009-sign-in-and-website.md).
 */
import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { isOwnName } from '../../kit/http/own-machine.ts'
import { transact } from '../../kit/postgres/database.ts'
import { createToken, hashSecret, SECRET_BYTES } from '../../model/accounts/tokens.ts'
import type { Db } from '../../store/database.ts'
import { giveCreditIn } from '../operator/acts.ts'
import { insertAct, insertOperator } from '../../store/operators.ts'
import { hasAnybody, insertUser, lockFirstRun } from '../../store/sign-in.ts'
import { openAccount } from './account.ts'

/** Credit that comes with the account: who reads the terminal could give it by command. */
const FIRST_CREDIT_MICROS = 5_000_000n

/**
 * Returns whether this process may ever offer it: it listens on this machine alone, is known under a name of this
 * machine, and has no proxies.
 */
export function mayOfferFirstRun(config: Config): boolean {
  const { FIRST_RUN, ROLES, HOST, PUBLIC_URL, TRUSTED_PROXIES } = config
  const isNear = isOwnName(HOST) || HOST === '::1'
  const isKnownHere = PUBLIC_URL === null || isOwnName(new URL(PUBLIC_URL).host)
  return FIRST_RUN && ROLES.has('api') && isNear && isKnownHere && TRUSTED_PROXIES === null
}

type Claim = { code: string; email: string; password: string }
export type FirstRun = ReturnType<typeof openFirstRun>

export function openFirstRun(db: Db) {
  const code = createToken(randomBytes(SECRET_BYTES))
  let isOver = false
  const isOpen = async (): Promise<boolean> => {
    isOver ||= await hasAnybody(db)
    return !isOver
  }
  return {
    /** Proves that whoever shows it reads this process's terminal. */
    code,
    /** Whether there is no account yet; once there is one, it is false for ever. */
    isOpen,
    /**
     * Makes the operator's account, with the first credit. Returns the user's id; null where the code is wrong or
     * there is an account.
     */
    async claim({ code: shown, email, password }: Claim): Promise<string | null> {
      if (!timingSafeEqual(hashSecret(shown), hashSecret(code)) || !(await isOpen())) return null
      return transact(db, async (tx) => {
        await lockFirstRun(tx)
        if (await hasAnybody(tx)) return null
        const userId = randomUUID()
        await insertUser(tx, { id: userId, email, password })
        const accountId = await openAccount(tx, { userId, welcomeMicros: 0n })
        if (accountId === null) return null
        await insertOperator(tx, accountId)
        const word = { actor: accountId, reason: 'first run' }
        await insertAct(tx, { act: 'grant_operator', jobId: null, accountId, ...word })
        await giveCreditIn(tx, { accountId, micros: FIRST_CREDIT_MICROS, ...word })
        return userId
      })
    },
  }
}
