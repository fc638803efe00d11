/** The heading of a page, its browser title, and the actions of the page; a link above it leads back to a list. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { titleSize } from '../../../src/kit/text/cells.ts'
import { BackIcon } from './icons.tsx'
import { OpenedFrom } from './opened-from.tsx'

export function PageHead({
  name,
  title = (
    <span dir="auto" className="wrap-anywhere">
      {name}
    </span>
  ),
  kind = 'place',
  about,
  children,
}: {
  name: string
  /** The heading, where it is not the name. */
  title?: ReactNode
  /** A place of the site, which the navigation names already, or a thing of the reader's: its name is the heading. */
  kind?: 'place' | 'thing'
  about?: ReactNode
  children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${name} · Scriptorium`
  }, [name])
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
      <div
        className={`flex-1 ${about === undefined && kind === 'place' ? '' : 'min-w-[min(100%,20rem)]'}`}
      >
        <h1 className={kind === 'place' ? kind : titleSize(name)}>{title}</h1>
        {about !== undefined && (
          <div className="mt-1 max-w-[60ch] text-[0.9375rem] text-muted">{about}</div>
        )}
      </div>
      {children !== undefined && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}

const BACK_LOOK =
  'mb-4 inline-flex max-w-full items-center gap-1.5 text-sm text-muted no-underline hover:text-ink'

/** Leads back to where the page was opened, or else to its list. */
export function BackLink({ to, children }: { to: '/jobs' | '/library'; children: string }) {
  return (
    <OpenedFrom look={BACK_LOOK}>
      <Link to={to} className={BACK_LOOK}>
        <BackIcon /> {children}
      </Link>
    </OpenedFrom>
  )
}
