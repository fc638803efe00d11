/** Rows of a list that are chosen together: a box in each row, and a bar of what can be done with all of them. */
import { type ReactNode, Suspense, useRef, useState } from 'react'
import { count } from '../format.ts'
import { Button } from './controls.tsx'
import { lazyPart } from './lazy-part.ts'
import type { SelectedTexts } from './selection-actions.tsx'

const Actions = lazyPart(async () => (await import('./selection-actions.tsx')).SelectionActions)

export type Selection = {
  /** The keys of the chosen rows, in the order of the list. */
  chosen: readonly string[]
  shown: readonly string[]
  /** Chooses a row or leaves it out; `isRange` does so with all from the row pressed before it. */
  toggle: (key: string, isRange: boolean) => void
  choose: (keys: readonly string[]) => void
}

/** `shown` are the keys of the rows that the page lists: what is not listed any more is not chosen either. */
export function useSelection(shown: readonly string[]): Selection {
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const toggle = (key: string, isRange: boolean) => {
    const isChosen = !kept.has(key)
    const [from, to] = [shown.indexOf(last.current ?? key), shown.indexOf(key)]
    const range =
      isRange && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [key]
    last.current = key
    const next = new Set(kept)
    for (const one of range)
      if (isChosen) next.add(one)
      else next.delete(one)
    setKept(next)
  }
  return {
    shown,
    chosen: shown.filter((key) => kept.has(key)),
    toggle,
    choose: (keys) => setKept(new Set(keys)),
  }
}

/**
 * The box of a row, which stands before what the row says; on a wide screen beside the list, so that rows and heading
 * have one edge. There a pointer shows it, or a row that is chosen. The row is `group relative`.
 */
export function SelectBox({
  selection: { chosen, toggle },
  id,
  name,
}: {
  selection: Selection
  id: string
  name: string
}) {
  const isActive = chosen.length > 0
  return (
    <label
      className={`relative z-10 -m-2 mr-0 flex shrink-0 cursor-pointer p-2 print:hidden has-focus-visible:opacity-100 xl:absolute xl:-left-7 xl:pointer-fine:group-hover:opacity-100 ${isActive ? '' : 'xl:pointer-fine:opacity-0'}`}
    >
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={chosen.includes(id)}
        // A change tells nothing of the keys that were held.
        onClick={({ shiftKey }) => toggle(id, shiftKey)}
        onChange={() => {}}
        className="size-4.5 accent-accent"
      />
    </label>
  )
}

/**
 * The bar of acts for the chosen rows: it lies above the foot of the window, so that no row moves. `texts` are theirs,
 * and `again` the lines to order; where there are none, nothing can be ordered again.
 */
export function SelectionBar({
  selection: { chosen, shown, choose },
  texts,
  again = [],
  children,
}: {
  selection: Selection
  texts: SelectedTexts
  again?: readonly string[]
  /** Further acts. */
  children?: ReactNode
}) {
  if (chosen.length === 0) return null
  return (
    <section
      aria-label="Selected"
      className="fixed inset-x-4 bottom-4 z-20 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center gap-2 rounded-2xl border border-line bg-surface px-4 py-2.5 shadow-card print:hidden"
    >
      <p role="status" className="numbers font-medium">
        {count(chosen.length)} selected
      </p>
      <Button kind="quiet" size="small" aria-label="Clear" title="Clear" onClick={() => choose([])}>
        ✕
      </Button>
      <Suspense fallback={null}>
        <Actions texts={texts} again={again} onDone={() => choose([])} />
      </Suspense>
      {children}
      {chosen.length < shown.length && (
        <Button kind="quiet" size="small" onClick={() => choose(shown)}>
          <span>
            <span className="max-sm:sr-only">Select</span> all {count(shown.length)}
          </span>
        </Button>
      )}
    </section>
  )
}
