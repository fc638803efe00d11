/** Records what a process saw of the platform, and reads what all of them saw in the last days. */
import type { Db } from '../../store/database.ts'
import { addShares, readShares, sweepHours, sweepShares } from '../../store/verdict-shares.ts'
import type { ShareBook } from '../../model/platform/usual.ts'

/** What the drift watch calls usual, how often workers add to it, and how often they look for changes. */
const USUAL_DAYS = 7

/** What could not be kept is counted again with the next call. */
export async function recordShares(db: Db, book: ShareBook): Promise<void> {
  const counts = book.takeCounts()
  try {
    if (counts.length > 0) await addShares(db, counts)
  } catch (error) {
    book.returnCounts(counts)
    throw error
  }
  book.learn(await readShares(db, USUAL_DAYS))
  await sweepShares(db, USUAL_DAYS)
  await sweepHours(db)
}
