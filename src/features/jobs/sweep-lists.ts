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

const LIST_COPIES_BYTES = 64 * 1024 * 1024
const PUBLISH_DATE_SECONDS = 86_400
const FREE_CALLS_KEPT_DAYS = 7
/** Where a list goes on that an allowance cut short. */
const BOOKMARKS_KEPT_DAYS = 90
const SWEPT_ROWS_MAX = 5_000
const SWEPT_COPIES_MAX = 20

/** Some rows of each table, so that no sweep holds up the others. */
export async function sweepLists(db: Db): Promise<void> {
  const rowsMax = SWEPT_ROWS_MAX
  await sweepCopies(db, {
    maxSeconds: LIMITS.listCopySeconds,
    bytesMax: LIST_COPIES_BYTES,
    copiesMax: SWEPT_COPIES_MAX,
  })
  await sweepChannelNames(db, { maxSeconds: LIMITS.channelNameSeconds, rowsMax })
  await sweepPublishDates(db, { maxSeconds: PUBLISH_DATE_SECONDS, rowsMax })
  await sweepPreviews(db, rowsMax)
  await sweepTrials(db, rowsMax)
  await sweepPreviewPages(db, { maxSeconds: LIMITS.previewSeconds, rowsMax })
  await sweepFreeCalls(db, FREE_CALLS_KEPT_DAYS)
  await sweepBookmarks(db, { keptDays: BOOKMARKS_KEPT_DAYS, rowsMax })
}
