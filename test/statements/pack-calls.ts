/** Calls of the statements about texts in packs; see calls.ts. */
import type { Db } from '../../src/store/database.ts'
import * as packs from '../../src/store/text-packs.ts'

const job = { id: 'job', seconds: 1 }
const limit = 10
const pack = '00000000-0000-4000-8000-000000000000'

export const PACK_CALLS: ((given: { db: Db }) => Promise<unknown>)[] = [
  ({ db }) => packs.openPackFolder(db),
  ({ db }) => packs.findUsedFolder(db),
  ({ db }) => packs.setPackedUntil(db, job),
  ({ db }) => packs.listEndedJobs(db, { minSeconds: 60, limit }),
  ({ db }) => packs.listUnpacked(db, { jobs: [job], limit }),
  ({ db }) => packs.listSpoiltPacks(db, { minSeconds: 60, limit }),
  ({ db }) => packs.listTextsIn(db, [pack]),
  ({ db }) => packs.listUnused(db, [pack]),
  ({ db }) => packs.deleteSpoiltPacks(db, [pack]),
  ({ db }) => packs.claimListing(db, 60),
]
