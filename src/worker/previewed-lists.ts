/** Lists as the account's previews saw them, and further on as all jobs read them. */
import { keepPreviewPage, readPreviewPage } from '../features/jobs/lists.ts'
import type { ListSource } from '../model/platform/source.ts'
import type { PreviewPlace } from '../store/preview-pages.ts'
import type { PlanRun } from './job-run.ts'
import type { ListPlace, SharedLists, SharedPage } from './shared-lists.ts'

type Run = Pick<PlanRun, 'db' | 'lists' | 'job'>

/**
 * Reads a page that a preview listed, the first one too, which jobs ask for anew otherwise; it counts like
 * one of a copy. What none has listed is asked for; `isKept`: and kept for the account's next look.
 */
export function previewedLists(
  { db, lists, job }: Run,
  { isKept } = { isKept: false },
): SharedLists {
  return {
    async page(source, place, asker) {
      if (asker.calls.spent !== null) return { kind: 'spent' }
      const at = placeOf(job.accountId, source, place)
      const known = await readPreviewPage<SharedPage>(db, at)
      if (known !== null) return (await asker.calls.takeCopied()) ? known : { kind: 'spent' }
      const answer = await lists.page(source, place, asker)
      if (isKept && answer.kind === 'page') await keepPreviewPage(db, at, answer)
      return answer
    },
  }
}

function placeOf(accountId: string, source: ListSource, { cursor }: ListPlace): PreviewPlace {
  return { accountId, listKey: listKeyOf(source), cursor }
}

/** As the line names it: another name of the same channel is another list here. */
function listKeyOf(source: ListSource): string {
  switch (source.kind) {
    case 'playlist':
      return `playlist ${source.playlistId}`
    case 'channel':
    case 'lists':
      return `${source.kind} ${source.name} ${source.tab ?? 'all'}`
    default:
      return source satisfies never
  }
}
