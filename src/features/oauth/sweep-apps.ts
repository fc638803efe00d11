/** Deletes what is over of OAuth: tokens, codes, logins, and clients that nobody connected. */
import { transact } from '../../kit/postgres/database.ts'
import type { Db } from '../../store/database.ts'
import { sweepAppTokens } from '../../store/accounts.ts'
import { noteUses } from '../../store/app-connections.ts'
import { sweepDeviceLogins } from '../../store/device-logins.ts'
import { sweepClients } from '../../store/oauth-clients.ts'
import { sweepGrants } from '../../store/oauth-grants.ts'
import { LIMITS } from '../../kit/config/config.ts'
import { OAUTH_LIMITS } from '../../model/oauth/lifetimes.ts'

/** In batches, so that no statement takes long; what is left is for the next time. Returns how many rows. */
export async function sweepApps(db: Db): Promise<number> {
  let swept = 0
  for (let round = 0; round < LIMITS.sweepRounds; round += 1) {
    const deleted = await sweepOnce(db, LIMITS.sweepRows)
    swept += deleted
    if (deleted < LIMITS.sweepRows) break
  }
  return swept
}

async function sweepOnce(db: Db, rowsMax: number): Promise<number> {
  const tokens = await transact(db, async (tx) => {
    const uses = await sweepAppTokens(tx, rowsMax)
    await noteUses(tx, uses)
    return uses.length
  })
  const grants = await sweepGrants(db, rowsMax)
  const logins = await sweepDeviceLogins(db, rowsMax)
  const seconds = OAUTH_LIMITS.unconnectedClientSeconds
  return tokens + grants + logins + (await sweepClients(db, { seconds, rowsMax }))
}
