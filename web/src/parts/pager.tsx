/** The buttons through the pages of a list. */
import { Button } from './controls.tsx'
import { count } from '../format.ts'

export function Pager({
  offset,
  limit,
  total,
  onOffset,
}: {
  offset: number
  limit: number
  total: number
  onOffset: (offset: number) => void
}) {
  if (total <= limit && offset === 0) return null
  return (
    <nav
      aria-label="Pages"
      className="mt-6 flex items-center justify-between gap-4 text-sm text-muted"
    >
      <Button
        size="small"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - limit))}
      >
        Previous
      </Button>
      <span className="numbers">
        {count(Math.min(offset + 1, total))}–{count(Math.min(offset + limit, total))} of{' '}
        {count(total)}
      </span>
      <Button
        size="small"
        disabled={offset + limit >= total}
        onClick={() => onOffset(offset + limit)}
      >
        Next
      </Button>
    </nav>
  )
}
