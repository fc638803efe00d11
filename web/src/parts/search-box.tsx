/** The shortcuts of every page, and the windows that they open: one to find and go, and the list of the shortcuts. */
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { KEYS, useKept } from '../kept-choice.ts'
import { shortcutOf, WITH_CONTROL } from '../shortcuts.ts'
import { SearchIcon } from './icons.tsx'
import { lazyPart } from './lazy-part.ts'
import { chooseRow, focusSearch, openRow, stepRow } from './row-keys.ts'

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette)
const ShortcutList = lazyPart(async () => (await import('./shortcut-list.tsx')).ShortcutList)

type Open = 'palette' | 'shortcuts' | null

/** Longest time between the two keys of one shortcut. */
const BETWEEN_MS = 1_500

export function SearchBox() {
  const [isOpen, setOpen] = useState<Open>(null)
  useShortcuts(setOpen)
  // A window that opened the other one closes after it.
  const close = (closed: Open) => () => setOpen((now) => (now === closed ? null : now))
  return (
    <>
      <button
        type="button"
        aria-label="Search and go"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        title={`Search and go (${WITH_CONTROL})`}
        onClick={() => setOpen('palette')}
        className="rounded-lg p-2.5 text-muted hover:bg-sunken hover:text-ink"
      >
        <SearchIcon />
      </button>
      <Suspense>
        {isOpen === 'palette' && (
          <Palette onClosed={close('palette')} onShortcuts={() => setOpen('shortcuts')} />
        )}
        {isOpen === 'shortcuts' && <ShortcutList onClosed={close('shortcuts')} />}
      </Suspense>
    </>
  )
}

function useShortcuts(onOpen: (open: Open) => void) {
  const navigate = useNavigate()
  const isOn = useKept(KEYS) === 'on'
  useEffect(() => {
    let begun = { keys: '', atMs: 0 }
    const onKey = (event: KeyboardEvent) => {
      const { target, defaultPrevented, isComposing, timeStamp: atMs } = event
      if (defaultPrevented || isComposing || document.querySelector('dialog[open]') !== null) return
      const isTyping =
        target instanceof HTMLElement &&
        (target.isContentEditable ||
          target.closest('input:not([type="checkbox"]), textarea, select') !== null)
      const before = atMs - begun.atMs < BETWEEN_MS ? begun.keys : ''
      const meant = shortcutOf(event, { begun: before, isTyping, isOn })
      begun = { keys: typeof meant === 'string' ? meant : '', atMs }
      if (meant === null || typeof meant === 'string') return
      event.preventDefault()
      const { act, to } = meant
      if (act === 'go' && to !== undefined) void navigate({ to })
      else if (act === 'help') onOpen('shortcuts')
      else if (act === 'open') openRow()
      else if (act === 'choose') chooseRow()
      else if (act === 'next' || act === 'previous') stepRow(act === 'next' ? 1 : -1)
      else if (act === 'palette' || !focusSearch()) onOpen('palette')
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn, navigate, onOpen])
}
