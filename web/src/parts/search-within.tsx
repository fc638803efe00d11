/** The search within a transcript: the number of matches, and buttons to the next one. */
import { type ReactNode, useRef } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { counted } from '../format.ts'
import { Button } from './controls.tsx'
import { SearchIcon } from './icons.tsx'
import type { useSearchWithin } from './use-search-within.ts'

type Props = {
  search: ReturnType<typeof useSearchWithin>
  /** Whether all of the text was searched; its beginning is, while a long one is laid out. */
  isWhole: boolean
}

export function SearchWithin({ search, isWhole }: Props) {
  const { typed, type, total, current, go } = search
  const field = useRef<HTMLInputElement>(null)
  const isAsked = hasVisible(typed)
  return (
    <>
      <div
        role="search"
        data-asked={isAsked || undefined}
        // Out of sight on a phone until it is entered, but within the reach of keys.
        className="peer flex min-w-0 flex-1 items-center gap-1 max-sm:not-data-asked:not-focus-within:sr-only"
      >
        <input
          ref={field}
          type="search"
          aria-label="Search in this transcript"
          placeholder="Search in this transcript"
          value={typed}
          dir="auto"
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && total > 0) go(event.shiftKey ? current - 1 : current + 1)
          }}
          className="h-10 min-w-0 flex-1 rounded-lg border border-control bg-surface px-3 text-base sm:text-[0.9375rem]"
        />
        <span role="status" className="numbers px-1 text-right text-sm text-muted empty:hidden">
          {isAsked && foundWords(search, isWhole)}
        </span>
        {isAsked &&
          STEPS.map(([name, step, arrow]) => (
            <Button
              key={name}
              size="small"
              disabled={total === 0}
              onClick={() => go(current + step)}
              aria-label={`${name} match`}
            >
              {arrow}
            </Button>
          ))}
      </div>
      <Button
        size="small"
        className="peer-focus-within:hidden peer-data-asked:hidden sm:hidden"
        aria-label="Search within"
        onClick={() => field.current?.focus()}
      >
        <SearchIcon />
      </Button>
    </>
  )
}

const STEPS = [
  ['Previous', -1, '↑'],
  ['Next', 1, '↓'],
] as const

function foundWords({ total, current }: Props['search'], isWhole: boolean): ReactNode {
  const rest = isWhole ? '' : ' so far'
  if (total === 0) return isWhole ? 'Not found' : 'Searching…'
  return (
    <>
      <span aria-hidden="true">
        {current + 1}/{total}
        {rest}
      </span>
      <span className="sr-only">
        {counted(total, 'place')} found{rest}
      </span>
    </>
  )
}
