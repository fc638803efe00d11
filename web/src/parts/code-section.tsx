/** A section of lines to copy: what they are for on the left, the lines beside it. */
import { type ReactNode, useId } from 'react'

export function CodeSection({
  title,
  about,
  children,
}: {
  title: string
  about: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-4 border-t border-line py-8 lg:grid-cols-[20rem_minmax(0,1fr)]"
    >
      <div className="max-w-[60ch]">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="mt-1.5 text-[0.9375rem] text-muted">{about}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  )
}
