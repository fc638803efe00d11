/** The search on every page: `/` or Ctrl-K opens a box that answers during typing. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { type SearchHit, searchQuery } from '../api/search.ts'
import { loadPart } from '../connection.ts'
import { counted, dotted, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { useDebouncedValue } from './use-debounced-value.ts'
import { SearchIcon } from './icons.tsx'
import { QuoteText } from './quote-text.tsx'

const SHOWN = { offset: 0, limit: 7 }
const TYPING_MS = 180
const WORD_BEGUN = /(?:^|\s)[\p{L}\p{N}]{3,40}$/u

/** Returns the query with the word that is still being typed as a beginning; '' where nothing is seen. */
function asTyped(typed: string): string {
  if (!hasVisible(typed)) return ''
  const isOpenPhrase = typed.split('"').length % 2 === 0
  return !isOpenPhrase && WORD_BEGUN.test(typed) ? `${typed}*` : typed.trim()
}

export function SearchBox() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isOpen, setOpen] = useState(false)
  const open = () => {
    setOpen(true)
    dialog.current?.showModal()
  }
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isShortcut(event) || dialog.current?.open === true) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-label="Search your transcripts"
        aria-keyshortcuts="/ Control+K"
        title="Search your transcripts ( / )"
        onClick={open}
        className="rounded-lg p-2.5 text-muted hover:bg-sunken hover:text-ink"
      >
        <SearchIcon />
      </button>
      <dialog
        ref={dialog}
        aria-label="Search your transcripts"
        onClose={() => setOpen(false)}
        onClick={(event) => event.target === dialog.current && dialog.current?.close()}
        className="mx-auto mt-[12vh] mb-auto w-[calc(100%-2rem)] max-w-2xl rounded-xl border border-line bg-surface p-0 text-ink shadow-card"
      >
        {isOpen && <Answers onDone={() => dialog.current?.close()} />}
      </dialog>
    </>
  )
}

function isShortcut({ key, ctrlKey, metaKey, altKey, target }: globalThis.KeyboardEvent): boolean {
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return true
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  return key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping
}

function Answers({ onDone }: { onDone: () => void }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const q = asTyped(useDebouncedValue(typed, TYPING_MS))
  const { data, error } = useQuery({ ...searchQuery({ q }, SHOWN), enabled: q.length > 1 })
  const hits = q.length > 1 && error === null ? (data?.hits ?? []) : []
  const openHit = async (hit: SearchHit) => {
    onDone()
    const { placeOf } = await loadPart(
      () => import('../hit-place.ts'),
      () => true,
    )
    await navigate(placeOf(hit, { q }))
  }
  const openAll = () => {
    onDone()
    void navigate({ to: '/search', search: { q: asTyped(typed) } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const count = hits.length + 1
      setChosen((chosen + step + count) % count)
    } else if (event.key === 'Enter' && hasVisible(typed)) {
      event.preventDefault()
      const hit = hits[chosen]
      if (hit === undefined) openAll()
      else void openHit(hit)
    }
  }
  return (
    <div onKeyDown={onKeyDown}>
      <input
        type="search"
        role="combobox"
        autoFocus
        aria-label="Words to look for"
        aria-expanded={hits.length > 0}
        aria-controls="found"
        aria-activedescendant={hits.length > 0 ? `found-${chosen}` : undefined}
        placeholder={'Words, "phrases", -exclusions'}
        maxLength={199}
        value={typed}
        dir="auto"
        onChange={(event) => {
          setTyped(event.target.value)
          setChosen(0)
        }}
        className="h-14 w-full rounded-t-xl border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <FoundList
        hits={hits}
        total={data?.total ?? 0}
        chosen={chosen}
        onChosen={setChosen}
        onHit={(hit) => void openHit(hit)}
        onAll={openAll}
      />
      <p role="status" className="px-4 py-2.5 text-sm text-muted">
        {statusOf({ q, error, data })}
      </p>
    </div>
  )
}

type FoundProps = {
  hits: SearchHit[]
  total: number
  chosen: number
  onChosen: (at: number) => void
  onHit: (hit: SearchHit) => void
  onAll: () => void
}

/** The hits, followed by the link to all of them. */
function FoundList({ hits, total, chosen, onChosen, onHit, onAll }: FoundProps) {
  return (
    <ul id="found" role="listbox" aria-label="Found" className="max-h-[60vh] overflow-y-auto">
      {hits.map((hit, at) => (
        <li
          key={`${hit.jobId}-${hit.index}`}
          id={`found-${at}`}
          role="option"
          aria-selected={at === chosen}
          onClick={() => onHit(hit)}
          onMouseMove={() => onChosen(at)}
          className="cursor-pointer px-4 py-2.5 aria-selected:bg-accent-soft"
        >
          <Found hit={hit} />
        </li>
      ))}
      {hits.length > 0 && (
        <li
          id={`found-${hits.length}`}
          role="option"
          aria-selected={chosen === hits.length}
          onClick={onAll}
          onMouseMove={() => onChosen(hits.length)}
          className="cursor-pointer border-t border-line px-4 py-3 text-sm font-medium text-accent aria-selected:bg-accent-soft"
        >
          All {counted(total, 'transcript')} by month and channel
        </li>
      )}
    </ul>
  )
}

function Found({ hit }: { hit: SearchHit }) {
  const facts = [hit.channelName, publishedOn(hit), clock(hit.startMs)]
  return (
    <>
      <span className="flex items-baseline justify-between gap-4">
        <span dir="auto" className="min-w-0 truncate font-medium">
          {hit.title ?? hit.videoId}
        </span>
        <span className="numbers shrink-0 text-sm text-muted">{dotted(facts)}</span>
      </span>
      <QuoteText hit={hit} className="line-clamp-2 text-[0.9375rem] text-muted" />
    </>
  )
}

function statusOf({
  q,
  error,
  data,
}: {
  q: string
  error: Error | null
  data: { total: number; indexed: number; owned: number } | undefined
}): string {
  if (q.length < 2) return 'Finds what is said in your transcripts. ↑ ↓ to choose, Enter to open.'
  if (error !== null) return error.message
  if (data === undefined) return 'Searching…'
  const rest =
    data.indexed < data.owned ? ` So far ${data.indexed} of ${data.owned} were searched.` : ''
  return `${data.total === 0 ? 'Nobody says that in your transcripts.' : `Said in ${counted(data.total, 'transcript')}.`}${rest}`
}
