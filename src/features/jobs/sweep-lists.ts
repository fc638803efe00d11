/** Deletes list copies that are too old or too many, and what is kept beside them for an hour or a day. Called now and then, by any process. */
import { LIMITS } from '../../kit/config/config.ts'
import type { Db } from '../../store/database.ts'
import { sweepChannelNames } from '../../store/channel-names.ts'
import { sweepFreeCalls } from '../../store/free-calls.ts'
import { sweepBookmarks } from '../../store/list-bookmarks.ts'
import { sweepCopies } from '../../store/list-copies.ts'
import { sweepPreviewPages } from '../../store/preview-pages.ts'
import { sweepPreviews } from '../../store/previews.ts'
import { sweepPublishDates } from '../../store/publish-dates.ts'
import { sweepTrials } from '../../store/trials.ts'

/** Some rows of each table, so that no sweep holds up the others. */
export async function sweepLists(db: Db): Promise<void> {
  const rowsMax = LIMITS.sweptRowsMax
  await sweepCopies(db, {
    maxSeconds: LIMITS.listCopySeconds,
    bytesMax: LIMITS.listCopiesBytes,
    copiesMax: LIMITS.sweptCopiesMax,
  })
  await sweepChannelNames(db, { maxSeconds: LIMITS.channelNameSeconds, rowsMax })
  await sweepPublishDates(db, { maxSeconds: LIMITS.publishDateSeconds, rowsMax })
  await sweepPreviews(db, rowsMax)
  await sweepTrials(db, rowsMax)
  await sweepPreviewPages(db, { maxSeconds: LIMITS.previewSeconds, rowsMax })
  await sweepFreeCalls(db, LIMITS.freeCallsKeptDays)
  await sweepBookmarks(db, { keptDays: LIMITS.bookmarksKeptDays, rowsMax })
}
