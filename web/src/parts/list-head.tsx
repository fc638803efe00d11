/** The head of a list: what it lists, and in the same line what narrows and orders it. */
import type { ComponentProps, ReactNode } from 'react'
import { SMALL_INPUT } from './controls.tsx'

export function ListHead({
  id,
  title,
  children,
}: {
  /** The id of the heading, by which the list's section is named. */
  id: string
  title: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 id={id} className="mr-auto w-full text-xl sm:w-auto">
        {title}
      </h2>
      {children}
    </div>
  )
}

const IN_LINE = `${SMALL_INPUT} min-w-0 flex-1 sm:flex-none`

/** A field that narrows the list to some words, which is named by its placeholder. */
export function ListSearch({ label, ...input }: { label: string } & ComponentProps<'input'>) {
  return (
    <input
      aria-label={label}
      placeholder={label}
      type="search"
      {...input}
      className={`${IN_LINE} sm:w-56`}
    />
  )
}

/** A choice that narrows or orders the list. */
export function ListChoice({ label, ...select }: { label: string } & ComponentProps<'select'>) {
  return <select aria-label={label} {...select} className={`${IN_LINE} sm:max-w-52`} />
}
