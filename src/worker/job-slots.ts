/**
 * The slots of a job while planning and fetching go on side by side. A job that leaves out what is owned may find, when
 * a row is read or charged, that another order has delivered its video since the row was planned. The row then gives
 * its slot back, and planning goes on to the next video, as if it had listed later: where no slot is left, it waits as
 * long as a row may still give one back.
 */
import { openCondition } from '../kit/concurrency.ts'
import { returnSlots, type Selection, wantsMore } from '../model/jobs/selection.ts'
import type { NewRow } from '../store/video-rows.ts'

export type JobSlots = {
  /** Returns whether a row may give its slot back that is planned and not recorded yet, or is one of `further`. */
  mayReturn(further: readonly NewRow[]): boolean
  /** Notes rows that planning recorded as planned. */
  planned(rows: readonly NewRow[]): void
  /** Notes a planned row that was recorded; `isReturned` says that it gave its slot back. */
  recorded(row: { isReturned: boolean }): void
  /** Waits until the selection has a slot, or no row can give one back. Rejects where the signal is aborted. */
  settle(selection: Selection, signal: AbortSignal): Promise<void>
}

/** The slots of jobs that charge what is owned, and of previews: none comes back. */
export const FINAL_SLOTS: JobSlots = {
  mayReturn: () => false,
  planned: () => undefined,
  recorded: () => undefined,
  settle: async () => undefined,
}

/** `open` rows were planned by earlier attempts and are not recorded yet. */
export function openJobSlots(open: number): JobSlots {
  const changed = openCondition()
  let [left, returned] = [open, 0]
  return {
    mayReturn: (further) => left > 0 || returned > 0 || further.some(isPlanned),
    planned(rows) {
      left += rows.filter(isPlanned).length
    },
    recorded({ isReturned }) {
      left -= 1
      if (isReturned) returned += 1
      changed.notify()
    },
    async settle(selection, signal) {
      for (;;) {
        changed.reset()
        returnSlots(selection, returned)
        returned = 0
        if (wantsMore(selection) || left <= 0) return
        await changed.wait({ signal })
      }
    },
  }
}

function isPlanned({ kind }: NewRow): boolean {
  return kind === 'planned'
}
