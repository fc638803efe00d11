/** A row of a list: what it is called, what there is to say of it, a figure beside it, and what can be done. */
import { type ReactNode, useState } from 'react'

type Parts = {
  /** Null where the list shows no pictures. */
  picture?: ReactNode
  name: ReactNode
  about: ReactNode
  figure?: ReactNode
  end?: ReactNode
  /** What stands below the row, over its whole width. */
  children?: ReactNode
}

export function ListRow({
  picture = null,
  name,
  about,
  figure = null,
  end = null,
  children,
}: Parts) {
  return (
    <li className="group relative py-3">
      <div className="flex items-center gap-4">
        {picture}
        <div className="grid min-w-0 flex-1 items-center gap-x-6 gap-y-2 sm:grid-cols-[minmax(0,1fr)_10rem_auto]">
          <div className="min-w-0">
            {name}
            <div className="numbers text-sm text-muted">{about}</div>
          </div>
          {figure}
          {end}
        </div>
      </div>
      {children}
    </li>
  )
}

/** Lists of rows have lines between them. */
export const LIST_LOOK = 'divide-y divide-line border-y border-line'

/** Such a list; nothing where there is no row, or none yet. */
export function Lines<One>({
  of: ones = [],
  children,
}: {
  of: readonly One[] | undefined
  children: (one: One) => ReactNode
}) {
  return ones.length > 0 && <ul className={LIST_LOOK}>{ones.map(children)}</ul>
}

/** A coloured dot before the words that say the same. */
export function Dot({ shade }: { shade: string }) {
  return <span aria-hidden="true" className={`mr-2 inline-block size-2 rounded-full ${shade}`} />
}

/** A bar of parts of a whole; words beside it say the same. A part is seen however small it is. */
export function PartsBar({
  parts,
  whole,
  look = 'h-1.5',
}: {
  parts: [shade: string, size: number][]
  whole: number
  look?: string
}) {
  return (
    <div aria-hidden="true" className={`flex gap-px overflow-hidden rounded-full bg-line ${look}`}>
      {parts.map(([shade, size], at) =>
        size === 0 ? null : (
          <div
            key={at}
            className={`min-w-1 ${shade}`}
            style={{ width: `${(100 * size) / Math.max(whole, 1)}%` }}
          />
        ),
      )}
    </div>
  )
}

/** The platform's still of a video; an empty frame where there is none, or where it cannot be loaded. */
export function Still({ address }: { address: string | null }) {
  const [missing, setMissing] = useState<string | null>(null)
  return (
    <div className="aspect-video w-24 shrink-0 overflow-hidden rounded-lg bg-sunken">
      {address !== null && address !== missing && (
        <img
          src={address}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          className="size-full object-cover"
          onError={() => setMissing(address)}
        />
      )}
    </div>
  )
}
