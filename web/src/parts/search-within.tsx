/** The search within a transcript: the number of matches, and buttons to the next one. */
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { counted } from '../format.ts'
import { Button } from './controls.tsx'

type Props = {
  typed: string
  onTyped: (typed: string) => void
  total: number
  /** Whether all of the text was searched; its beginning is, while a long one is laid out. */
  isWhole: boolean
  current: number
  onGo: (index: number) => void
}

export function SearchWithin({ typed, onTyped, total, isWhole, current, onGo }: Props) {
  const isAsked = hasVisible(typed)
  const rest = isWhole ? '' : ' so far'
  return (
    <div
      role="search"
      className="sticky top-0 z-10 -mx-2 mb-8 flex items-center gap-2 bg-paper px-2 py-3 print:hidden"
    >
      <input
        type="search"
        aria-label="Search in this transcript"
        placeholder="Search in this transcript"
        value={typed}
        dir="auto"
        onChange={(event) => onTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && total > 0) onGo(event.shiftKey ? current - 1 : current + 1)
        }}
        className="h-10 min-w-0 flex-1 rounded-lg border border-control bg-surface px-3 text-base"
      />
      <span role="status" className="numbers min-w-16 text-right text-sm text-muted">
        {isAsked &&
          (total === 0 ? (
            isWhole ? (
              'Not found'
            ) : (
              'Searching…'
            )
          ) : (
            <>
              <span aria-hidden="true">
                {current + 1}/{total}
                {rest}
              </span>
              <span className="sr-only">
                {counted(total, 'place')} found{rest}
              </span>
            </>
          ))}
      </span>
      <Button
        size="small"
        disabled={total === 0}
        onClick={() => onGo(current - 1)}
        aria-label="Previous match"
      >
        ↑
      </Button>
      <Button
        size="small"
        disabled={total === 0}
        onClick={() => onGo(current + 1)}
        aria-label="Next match"
      >
        ↓
      </Button>
    </div>
  )
}
