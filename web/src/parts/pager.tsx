/** The buttons through the pages of a list; where nobody counted it, `hasNext` says whether there is more. */
import { Button } from './controls.tsx'
import { count } from '../format.ts'

type Pages = { offset: number; limit: number; onOffset: (offset: number) => void } & (
  { total: number } | { hasNext: boolean }
)

export function Pager({ offset, limit, onOffset, ...pages }: Pages) {
  const hasNext = 'total' in pages ? offset + limit < pages.total : pages.hasNext
  if (!hasNext && offset === 0) return null
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
      {'total' in pages && (
        <span className="numbers">
          {count(Math.min(offset + 1, pages.total))}–{count(Math.min(offset + limit, pages.total))}{' '}
          of {count(pages.total)}
        </span>
      )}
      <Button size="small" disabled={!hasNext} onClick={() => onOffset(offset + limit)}>
        Next
      </Button>
    </nav>
  )
}
