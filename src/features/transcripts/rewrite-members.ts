/** Rewrites what release 1.0.0 stored of transcripts, each form by itself, as bodies: in a tenth of the bytes. */
import { transact } from '../../kit/postgres/database.ts'
import { packRecorded } from '../../model/transcripts/recorded-forms.ts'
import type { Db } from '../../store/database.ts'
import { lockOldMembers, replaceMembers } from '../../store/old-members.ts'
import type { RowKey } from '../../store/transcripts.ts'
import { bodyOfMember } from './write-stored.ts'

/** Transcripts that one transaction rewrites, and transactions that follow one another. */
const REWRITTEN_TOGETHER = 20
const REWRITE_ROUNDS = 500

/** Rewrites some thousands of them, oldest job first; what is left is for the next time. Returns how many. */
export async function rewriteMembers(db: Db): Promise<number> {
  let after: RowKey = { jobId: '', index: 0 }
  let rewritten = 0
  for (let round = 0; round < REWRITE_ROUNDS; round += 1) {
    const rows = await transact(db, async (tx) => {
      const found = await lockOldMembers(tx, after, REWRITTEN_TOGETHER)
      const bodies = []
      for (const { jobId, index, json, recorded } of found) {
        const body = await bodyOfMember(json)
        bodies.push({ jobId, index, body, recorded: packRecorded(recorded) })
      }
      if (bodies.length > 0) await replaceMembers(tx, bodies)
      return found
    })
    rewritten += rows.length
    const last = rows.at(-1)
    if (last === undefined) break
    after = last
  }
  return rewritten
}
