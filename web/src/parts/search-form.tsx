/** The search page's form: the words, and what narrows them, on one line where there is room. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type AskedSearch, given } from '../api/search.ts'
import { libraryQuery } from '../api/queries.ts'
import { languageName } from '../format.ts'
import { Button, Choice, Field } from './controls.tsx'

const CHANNELS = { kind: 'channel', sort: 'title' } as const

/** `error` is about the words; null where they can be searched for. */
export function SearchForm({
  asked,
  error,
  onAsk,
}: {
  asked: AskedSearch
  error: string | null
  onAsk: (next: AskedSearch) => void
}) {
  const [typed, setTyped] = useState(asked)
  const set = (field: keyof AskedSearch) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value })
  /** A choice is asked for at once; dates and words when they are sent. */
  const choose = (field: keyof AskedSearch) => (event: { target: { value: string } }) => {
    const next = { ...typed, [field]: event.target.value }
    setTyped(next)
    if (next.q !== '') onAsk(given(next))
  }
  const ask = (event: FormEvent) => {
    event.preventDefault()
    onAsk(given(typed))
  }
  return (
    <form
      role="search"
      onSubmit={ask}
      className="mb-6 grid grid-cols-2 items-start gap-3 sm:grid-cols-4 lg:grid-cols-[minmax(0,1fr)_8.5rem_8.5rem_8rem_4.5rem_8.25rem_auto] lg:gap-2 lg:[&_input[type=date]]:px-2 lg:[&_input[type=date]]:text-sm lg:[&_select]:px-2"
    >
      <Field
        label="Words"
        type="search"
        name="q"
        maxLength={200}
        dir="auto"
        autoFocus={asked.q === ''}
        className="col-span-2 sm:col-span-4 lg:col-span-1"
        error={error}
        value={typed.q}
        onChange={set('q')}
      />
      <Field label="From" type="date" value={typed.after ?? ''} onChange={set('after')} />
      <Field label="To" type="date" value={typed.before ?? ''} onChange={set('before')} />
      <ChannelChoice chosen={typed.channel ?? ''} onChoose={choose('channel')} />
      <LanguageChoice chosen={typed.language ?? ''} onChoose={choose('language')} />
      <Choice label="Order" value={typed.sort ?? 'relevance'} onChange={choose('sort')}>
        <option value="relevance">Best first</option>
        <option value="newest">Newest first</option>
      </Choice>
      <Button kind="primary" type="submit" className="self-end lg:mt-[1.625rem] lg:self-start">
        Search
      </Button>
    </form>
  )
}

/** The languages of the account's texts, as far as one page of the library has them. */
function LanguageChoice({ chosen, onChoose }: ChoiceProps) {
  const { data } = useQuery(libraryQuery(CHANNELS))
  const owned = (data?.collections ?? []).flatMap(({ languages }) => languages)
  const codes = [...new Set([...owned, ...(chosen === '' ? [] : [chosen])])]
  const named = codes.map((code) => ({ code, name: languageName(code) }))
  return (
    <Choice label="Language" value={chosen} onChange={onChoose}>
      <option value="">All</option>
      {named
        .sort((a, b) => a.name.localeCompare(b.name))
        .map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
    </Choice>
  )
}

type ChoiceProps = { chosen: string; onChoose: (event: { target: { value: string } }) => void }

/** The account's channels by name, as far as one page of the library has them. */
function ChannelChoice({ chosen, onChoose }: ChoiceProps) {
  const { data } = useQuery(libraryQuery(CHANNELS))
  const channels = data?.collections ?? []
  const isListed = channels.some(({ channelId }) => channelId === chosen)
  return (
    <Choice label="Channel" value={chosen} onChange={onChoose}>
      <option value="">All</option>
      {chosen !== '' && !isListed && <option value={chosen}>{chosen}</option>}
      {channels.map(({ channelId, title }) =>
        channelId === null ? null : (
          <option key={channelId} value={channelId}>
            {title ?? channelId}
          </option>
        ),
      )}
    </Choice>
  )
}
