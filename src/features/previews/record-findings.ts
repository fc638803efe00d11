/** Takes a preview up for a worker, and records what it finds out: the latest attempt alone writes. */
import type { Db } from '../../store/database.ts'
import { keepFindings, type PreviewRecord, takePreview } from '../../store/previews.ts'
import type { Findings } from '../../model/previews/preview.ts'

/** Null where it is ready, or gone. `leftMs`: of the time that listing may take; below zero, it is over. */
export function takePreviewUp(
  db: Db,
  previewId: string,
): Promise<{ preview: PreviewRecord; leftMs: number } | null> {
  return takePreview(db, previewId)
}

/** False where another attempt took over, or the preview is gone: nothing was written. */
export function recordFindings(
  db: Db,
  preview: Pick<PreviewRecord, 'id' | 'attempt'>,
  told: { findings: Findings; isReady: boolean },
): Promise<boolean> {
  return keepFindings(db, preview, told)
}
