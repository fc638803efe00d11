/** The heading of a page, its browser title, and the actions of the page. */
import { type ReactNode, useEffect } from 'react'

export function PageHead({
  title,
  name,
  about,
  children,
}: {
  title: ReactNode
  name: string
  about?: ReactNode
  children?: ReactNode
}) {
  useEffect(() => {
    document.title = `${name} · Scriptorium`
  }, [name])
  return (
    <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-[min(100%,20rem)] flex-1">
        <h1 className="text-[1.875rem] leading-tight sm:text-[2.25rem]">{title}</h1>
        {about !== undefined && <div className="mt-2 max-w-[60ch] text-muted">{about}</div>}
      </div>
      {children !== undefined && <div className="flex flex-wrap gap-2">{children}</div>}
    </div>
  )
}
