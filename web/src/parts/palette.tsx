/** One field that finds everything by its name, and words in the texts. Arrows choose, Enter opens, Escape closes. */
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { QuoteText } from './quote-text.tsx'
import { type FoundPlace, type FoundPlaces, useFound } from './use-found.ts'
import { useModal } from './use-modal.ts'

type Props = { onClosed: () => void; onShortcuts: () => void }

export function Palette({ onClosed, onShortcuts }: Props) {
  const modal = useModal(onClosed)
  return (
    <dialog
      {...modal}
      aria-label="Search and go"
      className="mx-auto mt-[12vh] mb-auto w-[calc(100%-2rem)] max-w-2xl rounded-xl border border-line bg-surface p-0 text-ink shadow-card"
    >
      <Choosing onShortcuts={onShortcuts} onDone={() => modal.ref.current?.close()} />
    </dialog>
  )
}

function Choosing({ onDone, onShortcuts }: { onDone: () => void; onShortcuts: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState('')
  const found = useFound(typed, onShortcuts)
  const options = [...found.groups.flatMap((group) => group.found), found.all ?? []].flat()
  const known = options.findIndex(({ key }) => key === chosen)
  const at = Math.max(0, known)
  const open = (one: FoundPlace | undefined) => {
    if (one === undefined) return
    onDone()
    if (typeof one.open === 'function') one.open()
    else void navigate(one.open)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
    if (event.nativeEvent.isComposing || (step === 0 && event.key !== 'Enter')) return
    event.preventDefault()
    if (step === 0) open(options[at])
    else setChosen(options.at((at + step) % options.length)?.key ?? '')
  }
  return (
    <div onKeyDown={onKeyDown} className="flex h-[min(36rem,72dvh)] flex-col">
      <input
        // A field of the kind “search” would take the first Escape for itself.
        type="text"
        role="combobox"
        inputMode="search"
        autoComplete="off"
        autoFocus
        aria-label="Words to look for"
        aria-expanded={options.length > 0}
        aria-controls="found"
        aria-activedescendant={options.length > 0 ? `found-${at}` : undefined}
        placeholder="A page, channel, job or project, or what is said"
        maxLength={199}
        value={typed}
        dir="auto"
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen('')
        }}
        className="h-14 w-full shrink-0 rounded-t-xl border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <FoundList {...found} chosen={options[at]} onChosen={setChosen} onOpen={open} />
      <p role="status" className="border-t border-line px-4 py-2.5 text-sm text-muted">
        {found.status}
      </p>
    </div>
  )
}

type ListProps = Omit<FoundPlaces, 'status'> & {
  chosen: FoundPlace | undefined
  onChosen: (key: string) => void
  onOpen: (one: FoundPlace) => void
}

/** The groups, which scroll, and below them the way to all that is said, which has one place. */
function FoundList({ groups, all, chosen, onChosen, onOpen }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen?.key])
  let at = 0
  const option = (one: FoundPlace) => (
    <div
      key={one.key}
      id={`found-${at++}`}
      role="option"
      aria-selected={one === chosen}
      onClick={() => onOpen(one)}
      onMouseMove={() => onChosen(one.key)}
      className="scroll-mb-12 cursor-pointer px-4 py-2 aria-selected:bg-accent-soft"
    >
      <span className="flex items-baseline justify-between gap-4">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {one.name}
        </span>
        <span className="numbers shrink-0 text-sm text-muted">{one.about}</span>
      </span>
      {one.hit && <QuoteText hit={one.hit} className="line-clamp-2 text-[0.9375rem] text-muted" />}
    </div>
  )
  return (
    <div
      ref={list}
      id="found"
      role="listbox"
      aria-label="Found"
      className="flex min-h-0 flex-1 flex-col overflow-y-auto"
    >
      {groups.map(({ title, key = title, found }) => (
        <div key={key} role="group" aria-label={title} className="py-1">
          <p role="presentation" className="px-4 pt-2 pb-1 text-[0.8125rem] text-muted">
            {title}
          </p>
          {found.map(option)}
        </div>
      ))}
      {all !== null && (
        <div
          role="presentation"
          className="sticky bottom-0 mt-auto border-t border-line bg-surface"
        >
          {option(all)}
        </div>
      )}
    </div>
  )
}
