/** Exact publish dates: they do not change, so each is requested once. */
import { exactly } from '../../model/jobs/date-bounds.ts'
import type { Db } from '../../store/database.ts'
import { findPublishDates, keepPublishDate } from '../../store/publish-dates.ts'

/** By video id, as the platform spells them; videos of which nothing is known are missing. */
export function readPublishDates(
  db: Db,
  accountId: string,
  videoIds: string[],
): Promise<Map<string, string>> {
  return findPublishDates(db, accountId, videoIds)
}

/** Remembers the date if it is exact: a day without its time is asked for again. */
export async function rememberPublishDate(
  db: Db,
  accountId: string,
  dated: { videoId: string; publishedAt: string },
): Promise<void> {
  if (exactly(dated.publishedAt).kind === 'exact') await keepPublishDate(db, accountId, dated)
}
