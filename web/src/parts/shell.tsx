/** The frame of every page: the name, the links, the balance, and where the page begins. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { fundsQuery, visitQuery } from '../api/queries.ts'
import { usd } from '../format.ts'
import { PAGE_NAMES } from '../words.ts'
import { AccountMenu, AccountWays } from './account-menu.tsx'
import { MenuIcon } from './icons.tsx'
import { CONSOLE } from './console-ways.ts'
import { LostConnection } from './lost-connection.tsx'
import { SHORTCUTS } from '../shortcuts.ts'
import { partOf } from '../trail.ts'
import { SearchBox } from './search-box.tsx'
import { ThemeSwitch } from './theme-switch.tsx'
import { useConsolePart } from './use-console-part.ts'

/** Pages of the header: a new job has its button. */
const WAYS = SHORTCUTS.flatMap(({ to, words }) =>
  to === undefined || to === '/new' ? [] : [{ to, label: words }],
)

export function Shell() {
  const { data: visit } = useQuery(visitQuery)
  const isSignedIn = visit?.email != null
  const width = usePageWidth()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-surface px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header className="border-b border-line print:hidden">
        <div className={`mx-auto flex h-16 ${width} items-center gap-2 px-4 sm:px-6`}>
          <Link to="/" className="flex items-center gap-2.5 rounded no-underline">
            <img src="/icon.svg" alt="" width="28" height="28" />
            <span
              className={`font-serif text-[1.1875rem] font-semibold tracking-tight ${isSignedIn ? 'max-[28rem]:sr-only' : ''}`}
            >
              Scriptorium
            </span>
          </Link>
          {isSignedIn ? <SignedInWays /> : <SignedOutWays isKnown={visit !== undefined} />}
        </div>
      </header>
      <LostConnection />
      <PageStart />
      <footer className="mt-auto border-t border-line print:hidden">
        <div
          className={`mx-auto flex ${width} flex-wrap justify-between gap-x-12 gap-y-6 px-4 py-8 text-sm text-muted sm:px-6`}
        >
          <span className="max-w-[40ch]">
            Transcripts of published captions, charged only when delivered.
          </span>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-8 gap-y-6 sm:gap-x-12">
            {(visit?.foot ?? []).map(({ title, links }) => (
              <div key={title} className="grid content-start gap-y-1">
                <b className="font-medium text-ink">{title}</b>
                {links.map((link) => (
                  <a
                    key={link.path}
                    href={link.path}
                    className="py-0.5 no-underline hover:text-ink"
                  >
                    {link.title}
                  </a>
                ))}
              </div>
            ))}
          </nav>
        </div>
      </footer>
    </div>
  )
}

/** Returns the width of the page; the reference has three columns. */
function usePageWidth(): string {
  const path = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  })
  return /^\/docs(?:\/|$)/.test(path) ? 'max-w-[88rem]' : 'max-w-[70rem]'
}

/** Moves the reader to the heading after a change of page, visually and for screen readers. */
function PageStart() {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const width = usePageWidth()
  const before = useRef<string | undefined>(undefined)
  useEffect(() => {
    // The first page keeps the focus at the top, where the link to skip to the content is.
    if (before.current !== undefined && path !== before.current)
      main.current?.focus({ preventScroll: true })
    before.current = path
  }, [path])
  return (
    <main
      id="main"
      ref={main}
      tabIndex={-1}
      // The foot begins below the first screen, where content that loads later pushes it down unseen.
      className={`mx-auto min-h-dvh w-full ${width} px-4 pt-6 pb-20 outline-none sm:px-6 sm:pt-8`}
    >
      <Outlet />
    </main>
  )
}

/** The open page is underlined by a piece of the header's own line. */
const WAY_LOOK = `-mb-px inline-flex h-16 items-center border-b-2 border-transparent px-3 text-[0.9375rem]
  whitespace-nowrap text-muted no-underline hover:text-ink aria-[current=page]:border-accent
  aria-[current=page]:font-medium aria-[current=page]:text-ink`
const SMALL_WAY_LOOK = `block w-full rounded-lg px-4 py-3 text-left no-underline
  aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium`

/** Returns the part of the site that is open: a video belongs to where it was opened. */
function useHere(): string {
  return useRouterState({
    select: ({ location: { href, search, state } }) =>
      'from' in search ? '/library' : partOf({ href, at: state.__TSR_index }),
  })
}

/** Pages that belong to another page's part of the site. */
const PARENTS: Record<string, string> = {
  '/new': '/jobs',
  '/batches': '/jobs',
  '/docs': '/developers',
  '/webhooks': '/developers',
  '/receipts': '/billing',
}

/** Links of the header: the site's, and on the operator's console those of the console in their place. */
function WayLinks({ look }: { look: string }) {
  const here = useHere()
  const part = useConsolePart()
  if (part !== null)
    return CONSOLE.map((title) => (
      <Link
        key={title}
        to="/operator/$part"
        params={{ part: title.toLowerCase() }}
        aria-current={title.toLowerCase() === part ? 'page' : undefined}
        className={look}
      >
        {title}
      </Link>
    ))
  return WAYS.map(({ to, label }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: true }}
      aria-current={here === to || PARENTS[here] === to ? 'page' : undefined}
      className={look}
    >
      {label}
    </Link>
  ))
}

function SignedInWays() {
  const isConsole = useConsolePart() !== null
  return (
    <>
      <nav aria-label={isConsole ? 'Console' : 'Main'} className="ml-3 hidden lg:flex">
        <WayLinks look={WAY_LOOK} />
      </nav>
      <div className="ml-auto flex items-center gap-1">
        {!isConsole && <SearchBox />}
        {!isConsole && <Funds />}
        <ThemeSwitch />
        <AccountMenu />
        <SmallMenu />
      </div>
    </>
  )
}

function Funds() {
  const { data } = useQuery({ ...fundsQuery, refetchInterval: 30_000 })
  return (
    <Link
      to="/billing"
      className="numbers rounded-lg px-2 py-2 text-[0.9375rem] font-medium no-underline hover:text-accent"
    >
      <span className="sr-only">Balance </span>
      <span className="inline-block min-w-16 text-right">
        {data === undefined ? '' : usd(data.available)}
      </span>
    </Link>
  )
}

/** The menu of a narrow screen: where the links have no room beside the name, they open below it. */
function SmallMenu() {
  const [isOpen, setOpen] = useState(false)
  const isConsole = useConsolePart() !== null
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEffect(() => setOpen(false), [path])
  return (
    <div className="lg:hidden" onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}>
      <button
        type="button"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls="ways"
        onClick={() => setOpen(!isOpen)}
        className="rounded-lg p-2.5 hover:bg-sunken"
      >
        <MenuIcon />
      </button>
      <nav
        id="ways"
        aria-label={isConsole ? 'Console' : 'Main'}
        hidden={!isOpen}
        className="absolute inset-x-4 top-[3.75rem] z-30 rounded-xl border border-line bg-surface p-1.5 shadow-card"
      >
        <WayLinks look={SMALL_WAY_LOOK} />
        <div className="mt-1.5 border-t border-line pt-1.5">
          <AccountWays look={SMALL_WAY_LOOK} />
        </div>
      </nav>
    </div>
  )
}

function SignedOutWays({ isKnown }: { isKnown: boolean }) {
  return (
    <div className="ml-auto flex items-center gap-1">
      <Link to="/docs" className={WAY_LOOK}>
        {PAGE_NAMES.api}
      </Link>
      <ThemeSwitch />
      {isKnown && (
        <Link to="/sign-in" className={`${WAY_LOOK} font-medium !text-ink`}>
          Sign in
        </Link>
      )}
    </div>
  )
}
