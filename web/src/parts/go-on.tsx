/** What the account has of a channel or playlist in words, and the button that fetches what is missing. */
import { type Collection, type CollectionDetail } from '../api/client.ts'
import { BATCH_VIDEOS_MAX, JOB_VIDEOS_MAX } from '../api/batches.ts'
import { count } from '../format.ts'
import { buttonLook } from './controls.tsx'
import { RepeatIcon } from './icons.tsx'
import { MENU_ROW } from './menu.tsx'
import { costOf } from '../order-size.ts'
import { OrderQuestion } from './order-question.tsx'

/**
 * The button that orders what is next of this list alone, or with `isAll`, in a menu, what is more than one job may
 * take. It names the highest price, unless it only looks for what is new.
 */
export function GoOn({
  collection,
  isAll = false,
}: {
  collection: CollectionDetail
  isAll?: boolean
}) {
  const { goesOn, kind } = collection
  const left = collection.remaining ?? 0
  if (goesOn === null || (isAll && left <= JOB_VIDEOS_MAX)) return null
  const maxVideos = Math.min(left || JOB_VIDEOS_MAX, isAll ? BATCH_VIDEOS_MAX : JOB_VIDEOS_MAX)
  const { line, language, formats } = goesOn
  const isOver = collection.remaining === 0
  const verb = isAll
    ? `all ${count(maxVideos)}`
    : `the ${left > JOB_VIDEOS_MAX ? 'next' : 'remaining'} ${count(maxVideos)}`
  return (
    <OrderQuestion
      request={{ urls: [line], language, formats, maxVideos }}
      title={left === 0 ? 'Look for new videos?' : 'Fetch more?'}
      verb={left === 0 ? 'Fetch what is new' : 'Fetch them'}
      triggerLook={isAll ? MENU_ROW : buttonLook(isOver ? 'plain' : 'primary', 'small')}
      trigger={
        <>
          {!isAll && <RepeatIcon />} {left === 0 ? 'Look for new videos' : `Fetch ${verb}`}
          {!isOver && ` · at most ${costOf(maxVideos)}`}
        </>
      }
    >
      <p>Only this {kind} is checked, and what you already have is free.</p>
    </OrderQuestion>
  )
}

/** Returns "1,084 of 1,200" and "transcripts"; the first number alone where nobody knows of how many. */
export function haveWords({ delivered, known, remaining, kind }: Collection): [string, string] {
  const isWhole = remaining === null || kind === 'project'
  const have = isWhole ? count(delivered) : `${count(delivered)} of ${count(known)}`
  return [have, (isWhole ? delivered : known) === 1 ? 'transcript' : 'transcripts']
}

/** Returns "700 more to fetch"; '' where nothing is left, or nobody knows how much. */
export function moreWords({ remaining }: Collection): string {
  return remaining ? `${count(remaining)} more to fetch` : ''
}
