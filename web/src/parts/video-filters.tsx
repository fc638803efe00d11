/** The head of a list of videos, with its filters, which are kept in the page's address. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { filterAddress } from '../addresses.ts'
import type { RowFilter } from '../api/queries.ts'
import { FIELD_NAMES } from '../words.ts'
import { ListChoice, ListHead, ListSearch } from './list-head.tsx'
import { useTypedWord } from './use-typed-word.ts'

/** Returns the filter of the page's list, and what its fields need. */
export function useVideoFilter() {
  const { status = '', q = '' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const setFilter = (filter: RowFilter) =>
    void navigate({ to: '.', search: filterAddress(filter), replace: true, resetScroll: false })
  const { typed, setTyped, word } = useTypedWord(q, (search) => setFilter({ status, search }))
  const setStatus = (next: string) => setFilter({ status: next, search: word })
  return { filter: { status, search: word }, typed, setTyped, setStatus }
}

export function VideosHead({
  of: { filter, typed, setTyped, setStatus },
  options,
  beside,
}: {
  of: ReturnType<typeof useVideoFilter>
  /** The choices of what is shown; without any, nothing can be narrowed. */
  options: readonly (readonly [status: string, words: string])[]
  beside?: ReactNode
}) {
  return (
    <ListHead id="videos" title="Videos" beside={beside}>
      {options.length > 0 && (
        <>
          <ListSearch
            label={FIELD_NAMES.titles}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
          <ListChoice label="Show" value={filter.status} options={options} onChoice={setStatus} />
        </>
      )}
    </ListHead>
  )
}
