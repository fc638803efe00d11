/** The keyboard shortcuts: the one list of them, and which one a key means. Pure. */

type Shortcut = {
  act: 'palette' | 'search' | 'help' | 'next' | 'previous' | 'open' | 'choose' | 'go'
  /** Names of keys as events have them; two with a blank between them are pressed one after the other. */
  keys: readonly string[]
  words: string
  where: 'On every page' | 'In lists, search results and transcripts'
  /** The page that `go` opens. */
  to?: '/library' | '/jobs' | '/new' | '/search' | '/following' | '/billing' | '/developers'
}

const ANYWHERE = { where: 'On every page' } as const
const IN_ROWS = { where: 'In lists, search results and transcripts' } as const
const GO = { act: 'go', ...ANYWHERE } as const

/** The key that needs Control or Command works always; the others can be switched off. */
export const WITH_CONTROL = 'Ctrl+K'

export const SHORTCUTS: readonly Shortcut[] = [
  {
    act: 'palette',
    keys: [WITH_CONTROL],
    words: 'Go to a page, channel or job, or find words',
    ...ANYWHERE,
  },
  {
    act: 'search',
    keys: ['/'],
    words: `Search on this page; without a search, as ${WITH_CONTROL}`,
    ...ANYWHERE,
  },
  { act: 'help', keys: ['?'], words: 'Show this list', ...ANYWHERE },
  { ...GO, keys: ['g l'], words: 'Library', to: '/library' },
  { ...GO, keys: ['g j'], words: 'Jobs', to: '/jobs' },
  { ...GO, keys: ['g n'], words: 'New job', to: '/new' },
  { ...GO, keys: ['g s'], words: 'Search', to: '/search' },
  { ...GO, keys: ['g f'], words: 'Following', to: '/following' },
  { ...GO, keys: ['g b'], words: 'Billing', to: '/billing' },
  { ...GO, keys: ['g a'], words: 'API', to: '/developers' },
  { act: 'next', keys: ['j'], words: 'Next row or paragraph', ...IN_ROWS },
  { act: 'previous', keys: ['k'], words: 'Previous row or paragraph', ...IN_ROWS },
  { act: 'open', keys: ['Enter', 'o'], words: 'Open it; quote or link a paragraph', ...IN_ROWS },
  { act: 'choose', keys: ['x'], words: 'Select it, or leave it out', ...IN_ROWS },
]

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

/**
 * Returns the shortcut of a key, or the beginning of one ("g"); null where it means nothing here. `begun` is what was
 * pressed before it, '' for nothing. Enter opens what has the focus without us.
 */
export function shortcutOf(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { begun, isTyping, isOn }: { begun: string; isTyping: boolean; isOn: boolean },
): Shortcut | string | null {
  if (ctrlKey || metaKey)
    return !altKey && key.toLowerCase() === 'k' ? (named(WITH_CONTROL) ?? null) : null
  if (altKey || isTyping || !isOn || key === 'Enter') return null
  const pressed = begun === '' ? key : `${begun} ${key}`
  const isBegin = SHORTCUTS.some(({ keys }) => keys.some((one) => one.startsWith(`${pressed} `)))
  return isBegin ? pressed : (named(pressed) ?? null)
}

function named(pressed: string): Shortcut | undefined {
  return SHORTCUTS.find(({ keys }) => keys.includes(pressed))
}
