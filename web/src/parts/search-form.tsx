/** The search page's form: one wide field for the words, and below it a chip for each filter. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AskedSearch, given, type Mentions } from '../api/search.ts'
import { languageName, monthName } from '../format.ts'
import { CHANNELS, channelsOf, datesOf } from '../search-filters.ts'
import { Button, Field } from './controls.tsx'
import { FilterChip } from './filter-chip.tsx'
import { RecentSearches } from './recent-searches.tsx'

const DAYS = [
  ['after', 'From'],
  ['before', 'To'],
] as const
const NEWEST = new Map([['newest', 'newest first']])

/** A search as the page has it: `month` is that of the chosen bar. */
type FormSearch = AskedSearch & { month?: string }

type Channels = Mentions['channels'] | undefined

/** Takes a part of a search; '' takes a filter away. */
type Take = (part: { [Field in keyof FormSearch]?: string }) => void

/** `error` is about the words; null where they can be searched for. `channels` are those in which they are said. */
export function SearchForm({
  asked,
  channels,
  error,
  onAsk,
}: {
  asked: FormSearch
  channels: Channels
  error: string | null
  onAsk: (next: FormSearch) => void
}) {
  const of = JSON.stringify(asked)
  const [form, setForm] = useState({ of, typed: asked })
  // The chips stay in the page, so that the focus does, when the address brings another search.
  if (form.of !== of) setForm({ of, typed: asked })
  const { typed } = form
  const type: Take = (part) => setForm({ of, typed: { ...typed, ...part } as FormSearch })
  const choose: Take = (part) => onAsk(given({ ...typed, ...part } as FormSearch))
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        choose({})
      }}
      className="mb-6"
    >
      <div className="group relative flex items-start gap-2">
        <Field
          key={String(asked.q === '')} // a page without words begins anew, with the focus here
          label="Words"
          placeholder="Words, or “a phrase”"
          type="search"
          name="q"
          maxLength={200}
          dir="auto"
          autoFocus={asked.q === ''}
          className="min-w-0 flex-1 [&>input]:h-12 [&>input]:text-lg [&>label]:sr-only"
          error={error}
          value={typed.q}
          onChange={({ target }) => type({ q: target.value })}
        />
        <Button kind="primary" type="submit" className="h-12 sm:px-6">
          Search
        </Button>
        {asked.q !== '' && typed.q === '' && (
          <div className="absolute inset-x-0 top-13 z-30 hidden rounded-xl border border-line bg-surface px-4 py-3 shadow-card group-focus-within:block empty:hidden">
            <RecentSearches />
          </div>
        )}
      </div>
      <SearchFilters {...{ asked, typed, channels, type, choose }} />
    </form>
  )
}

type Filters = {
  asked: FormSearch
  typed: FormSearch
  channels: Channels
  type: Take
  choose: Take
}

/** What is chosen is asked for at once; days when they are sent. */
function SearchFilters({ asked, typed, channels, type, choose }: Filters) {
  const { data } = useQuery(CHANNELS)
  const languages = [...new Set((data?.collections ?? []).flatMap((one) => one.languages))].sort()
  const choices = [
    ['channel', 'Channel', 'all', channelsOf(data, channels)],
    ['language', 'Language', 'all', new Map(languages.map((code) => [code, languageName(code)]))],
    ['sort', 'Order', 'best first', NEWEST],
  ] as const
  return (
    <div className="relative mt-3 max-lg:[&_details]:static">
      <ul
        aria-label="Filters"
        className="flex gap-2 max-sm:-mx-4 max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-wrap"
      >
        <FilterChip
          label="Dates"
          none="any time"
          value={asked.month === undefined ? datesOf(asked) : monthName(asked.month)}
          onChoose={() => choose({ after: '', before: '', month: '' })}
        >
          <div className="space-y-3 p-2">
            {DAYS.map(([field, label]) => (
              <Field
                key={field}
                label={label}
                type="date"
                value={typed[field] ?? ''}
                onChange={({ target }) => type({ [field]: target.value, month: '' })}
              />
            ))}
            <Button type="submit" className="w-full">
              Show
            </Button>
          </div>
        </FilterChip>
        {choices.map(([field, label, none, options]) => (
          <FilterChip
            key={field}
            label={label}
            none={none}
            value={asked[field]}
            options={options}
            onChoose={(value) => choose({ [field]: value })}
          />
        ))}
      </ul>
    </div>
  )
}
