/** Calls of hand-written SQL about previews. */
import { NO_FINDINGS } from '../../src/model/previews/preview.ts'
import type { Db, Tx } from '../../src/store/database.ts'
import { readRecentShare } from '../../src/store/admission.ts'
import { countKnown, readFailedTries } from '../../src/store/history.ts'
import * as previews from '../../src/store/previews.ts'
import { copyHistory } from '../../src/store/record.ts'
import { PLAIN_ORDER } from '../support/orders.ts'

const [accountId, previewId, requestHash] = ['account', 'preview', 'hash']
const place = { accountId, listKey: 'list', cursor: null }
const life = { listingSeconds: 1, keptSeconds: 1 }
const preview = {
  id: previewId,
  requestHash,
  accountId,
  order: PLAIN_ORDER,
  requestedMaxVideos: 1,
}
const findings = NO_FINDINGS

export const PREVIEW_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ tx }) => previews.insertPreview(tx, preview, life),
  ({ db }) => previews.findPreviewOf(db, { accountId, requestHash }),
  ({ db }) => previews.findPreview(db, { accountId, previewId }),
  ({ db }) => previews.isCountNew(db, previewId),
  ({ tx }) => previews.reopenPreview(tx, previewId, { listingSeconds: 1, openSeconds: 1 }),
  ({ db }) => previews.claimPreview(db, [accountId]),
  ({ db }) => previews.holdPreview(db, { id: previewId, attempt: 1 }),
  ({ db }) => previews.releasePreview(db, { id: previewId, attempt: 1 }),
  ({ db }) => previews.keepFindings(db, { id: previewId, attempt: 1 }, { findings, isReady: true }),
  ({ tx }) => previews.lockVisitors(tx),
  ({ db }) => previews.findPreviewOf(db, { accountId: null, requestHash }),
  ({ tx }) => previews.readVisitorsWait(tx, { perHour: 1, perDay: 1 }),
  ({ db }) => previews.findPreview(db, { accountId: null, previewId }),
  ({ db }) => previews.findPreviewPage(db, place, 1),
  ({ db }) => previews.insertPreviewPage(db, place, Buffer.alloc(1)),
  ({ db }) => readRecentShare(db),
  ({ db }) => countKnown(db, { accountId, urlSetHash: 'set' }),
  ({ db }) => readFailedTries(db, { accountId, videoIds: ['v'] }),
  ({ db }) => copyHistory(db, { accountId, from: 'set', to: 'other' }),
]
