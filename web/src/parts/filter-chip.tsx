/** A filter as a chip: what it is set to, its choice in a menu, and a way back to all. */
import type { ReactNode } from 'react'
import { Menu, MENU_ROW } from './menu.tsx'

type Props = {
  label: string
  /** What holds while the filter is not set. */
  none: string
  value: string | null | undefined
  /** Names of the values that can be chosen; those of any other are said as they are. */
  options?: ReadonlyMap<string, string>
  /** Called with '' for none. */
  onChoose: (value: string) => void
  /** The choice, where it is none of options. */
  children?: ReactNode
}

export function FilterChip({ label, none, value, options, onChoose, children }: Props) {
  const chosen = value ?? ''
  const look = chosen === '' ? 'border-line bg-surface' : 'border-accent bg-accent-soft font-medium'
  const name = chosen === '' ? none : (options?.get(chosen) ?? chosen)
  return (
    <li className={`flex shrink-0 items-center rounded-full border text-sm ${look}`}>
      <Menu
        label={
          <span className="flex gap-1 whitespace-nowrap">
            {label}: {<bdi className="max-w-44 truncate">{name}</bdi>}
          </span>
        }
        look="flex min-h-9 items-center rounded-full px-3"
      >
        <div className="w-max max-w-[min(20rem,calc(100vw-3.5rem))]">
          {children}
          {options !== undefined &&
            [['', none] as const, ...options].map(([option, named]) => (
              <button
                key={option}
                type="button"
                aria-pressed={option === chosen}
                onClick={() => onChoose(option)}
                className={`${MENU_ROW} truncate aria-pressed:bg-accent-soft`}
              >
                <bdi>{named}</bdi>
              </button>
            ))}
        </div>
      </Menu>
      {chosen !== '' && (
        <button
          type="button"
          aria-label={`Remove ${label}`}
          onClick={({ currentTarget }) => {
            // The button goes with the value, and must not take the focus along.
            currentTarget.parentElement?.querySelector('summary')?.focus()
            onChoose('')
          }}
          className="-ml-2 size-8 rounded-full text-base text-muted hover:text-ink"
        >
          ×
        </button>
      )}
    </li>
  )
}
