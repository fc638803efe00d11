/** The head of a list: what it lists, and in the same line what narrows and orders it. */
import type { ComponentProps, ReactNode } from 'react'
import { SMALL_INPUT } from './controls.tsx'

export function ListHead({
  id,
  title,
  beside = null,
  children,
}: {
  /** The id of the heading, by which the list's section is named. */
  id: string
  title: ReactNode
  /** What stays in the heading's line where the filters do not fit into it. */
  beside?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex min-w-fit flex-1 flex-wrap items-center gap-x-3">
        <h2 id={id} className="mr-auto text-xl">
          {title}
        </h2>
        {beside}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden max-sm:w-full">{children}</div>
    </div>
  )
}

const IN_LINE = `${SMALL_INPUT} min-w-28 flex-1 sm:flex-none`

/** A field that narrows the list to some words, which is named by its placeholder. */
export function ListSearch({
  label,
  className = 'sm:w-56',
  ...input
}: { label: string } & ComponentProps<'input'>) {
  return (
    <input
      aria-label={label}
      placeholder={label}
      type="search"
      {...input}
      className={`${IN_LINE} ${className}`}
    />
  )
}

/** A choice that narrows or orders the list; `options` are the words of each, by its value. */
export function ListChoice({
  label,
  value = '',
  options,
  onChoice,
  className = 'sm:max-w-52',
}: {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, words: string])[]
  onChoice: (value: string) => void
  className?: string
}) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChoice(target.value)}
      className={`${IN_LINE} ${className}`}
    >
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  )
}
