/** Everything that is said with some words: counts by month and channel, and each quote. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import {
  type AskedSearch,
  CSV_HITS_MAX,
  HITS_PAGE,
  hitsAsCsv,
  type SearchAddress,
  type SearchHit,
  searchQuery,
} from '../api/search.ts'
import { Button, Field } from '../parts/controls.tsx'
import { DownloadIcon, SearchIcon } from '../parts/icons.tsx'
import { MonthBars, monthBounds } from '../parts/month-bars.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { placeOf, QuoteText } from '../parts/quote-text.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { clock, counted, day, languageName } from '../format.ts'

const route = getRouteApi('/member/search')
/** Page for the counts alone: the API returns at least one hit. */
const COUNTS = { offset: 0, limit: 1 }

export function SearchPage() {
  const { month, page = 1, ...address } = route.useSearch()
  const navigate = useNavigate()
  const asked: AskedSearch = { q: '', ...address }
  const isAsked = hasVisible(asked.q)
  const narrowed: AskedSearch = month === undefined ? asked : { ...asked, ...monthBounds(month) }
  const offset = (page - 1) * HITS_PAGE
  const over = useQuery({ ...searchQuery(asked, COUNTS), enabled: isAsked })
  const found = useQuery({
    ...searchQuery(narrowed, { offset, limit: HITS_PAGE }),
    enabled: isAsked,
  })
  const go = (next: SearchAddress) => void navigate({ to: '/search', search: next })
  const error = found.error ?? over.error
  return (
    <>
      <PageHead
        name={isAsked ? asked.q : 'Search'}
        title="Search"
        about={isAsked ? said(over.data) : 'What is said in your transcripts, and when.'}
      >
        {isAsked && <CsvButton asked={narrowed} isEmpty={(found.data?.total ?? 0) === 0} />}
      </PageHead>
      <Filters key={JSON.stringify(asked)} asked={asked} onAsk={go} />
      {isAsked && error !== null && <Failed error={error} onRetry={() => void found.refetch()} />}
      {isAsked && error === null && over.data === undefined && <Loading lines={6} />}
      {isAsked && error === null && over.data !== undefined && (
        <>
          <MonthBars
            months={over.data.months}
            chosen={month ?? null}
            addressOf={(bar) => ({ ...asked, ...(bar === null ? {} : { month: bar }) })}
          />
          <Channels asked={asked} channels={over.data.channels} />
          <Hits hits={found.data?.hits ?? null} />
          <Pager
            offset={offset}
            limit={HITS_PAGE}
            total={found.data?.total ?? 0}
            onOffset={(next) =>
              go({
                ...asked,
                ...(month === undefined ? {} : { month }),
                ...(next === 0 ? {} : { page: next / HITS_PAGE + 1 }),
              })
            }
          />
        </>
      )}
    </>
  )
}

function said(data: { total: number; indexed: number; owned: number } | undefined): string {
  if (data === undefined) return ' '
  const rest =
    data.indexed < data.owned ? `; so far ${data.indexed} of ${data.owned} were searched` : ''
  return `Said in ${counted(data.total, 'transcript')}${rest}`
}

function Filters({ asked, onAsk }: { asked: AskedSearch; onAsk: (next: AskedSearch) => void }) {
  const [typed, setTyped] = useState(asked)
  const set = (field: keyof AskedSearch) => (event: { target: { value: string } }) =>
    setTyped({ ...typed, [field]: event.target.value })
  const ask = (event: FormEvent) => {
    event.preventDefault()
    const filled = Object.entries(typed).filter(([, value]) => value !== '')
    onAsk({ q: '', ...Object.fromEntries(filled) })
  }
  return (
    <form role="search" onSubmit={ask} className="mb-8 flex flex-wrap items-end gap-3">
      <Field
        label="Words"
        type="search"
        name="q"
        maxLength={200}
        dir="auto"
        className="min-w-60 flex-1"
        placeholder={'Words, "phrases", beginnings*, -exclusions'}
        value={typed.q}
        onChange={set('q')}
      />
      <Field label="From" type="date" value={typed.after ?? ''} onChange={set('after')} />
      <Field label="To" type="date" value={typed.before ?? ''} onChange={set('before')} />
      <Field
        label="Language"
        className="w-24"
        placeholder="en"
        maxLength={12}
        value={typed.language ?? ''}
        onChange={set('language')}
      />
      <label className="text-sm font-medium">
        <span className="mb-1.5 block">Order</span>
        <select
          value={typed.sort ?? 'relevance'}
          onChange={set('sort')}
          className="h-11 rounded-lg border border-control bg-surface px-3 text-base"
        >
          <option value="relevance">Best first</option>
          <option value="newest">Newest first</option>
        </select>
      </label>
      <Button kind="primary" type="submit">
        <SearchIcon /> Search
      </Button>
    </form>
  )
}

function Channels({
  asked,
  channels,
}: {
  asked: AskedSearch
  channels: { channelName: string | null; count: number }[]
}) {
  if (channels.length < 2 && asked.channel === undefined) return null
  const { channel, ...everywhere } = asked
  const look = 'rounded-full border border-line px-3 py-1 text-sm no-underline hover:border-control'
  return (
    <nav aria-label="Channels" className="mb-6 flex flex-wrap gap-2">
      {channel !== undefined && (
        <Link to="/search" search={everywhere} className={`${look} bg-accent-soft`}>
          {channel} <span aria-label="in all channels">×</span>
        </Link>
      )}
      {channel === undefined &&
        channels.slice(0, 12).map(({ channelName, count }) =>
          channelName === null ? null : (
            <Link
              key={channelName}
              to="/search"
              search={{ ...asked, channel: channelName }}
              className={look}
            >
              <bdi>{channelName}</bdi> <span className="numbers text-muted">{count}</span>
            </Link>
          ),
        )}
    </nav>
  )
}

/** `hits` is null while they load. */
function Hits({ hits }: { hits: SearchHit[] | null }) {
  if (hits === null) return <Loading lines={4} label="Loading the quotes" />
  if (hits.length === 0)
    return (
      <Empty title="Nothing found">
        Try fewer words, a beginning such as bridg*, or no dates and no language.
      </Empty>
    )
  return (
    <ol className="divide-y divide-line border-y border-line">
      {hits.map((hit) => (
        <HitLine key={`${hit.jobId} ${hit.index}`} hit={hit} />
      ))}
    </ol>
  )
}

function HitLine({ hit }: { hit: SearchHit }) {
  const facts = [hit.channelName, day(hit.publishedAt), languageName(hit.languageCode)]
  return (
    <li className="py-4">
      <div className="flex items-baseline justify-between gap-4">
        <Link {...placeOf(hit)} className="link min-w-0 truncate font-medium" dir="auto">
          {hit.title ?? hit.videoId}
        </Link>
        <a
          href={hit.url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open the video at ${clock(hit.startMs)}`}
          className="numbers shrink-0 text-sm text-muted"
        >
          {clock(hit.startMs)}
        </a>
      </div>
      <p className="text-sm text-muted">{facts.filter((fact) => fact !== null).join(' · ')}</p>
      <p className="mt-1.5 font-serif text-[1.0625rem]">
        <QuoteText hit={hit} />
      </p>
    </li>
  )
}

/** The hits as a file, made in the browser. */
/** The button is there from the start, so that nothing moves when the hits come. */
function CsvButton({ asked, isEmpty }: { asked: AskedSearch; isEmpty: boolean }) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    setBusy(true)
    setProblem(null)
    try {
      const address = URL.createObjectURL(await hitsAsCsv(asked))
      const link = Object.assign(document.createElement('a'), { href: address })
      link.download = 'hits.csv'
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 1_000)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <div>
      <Button
        isBusy={isBusy}
        disabled={isEmpty}
        onClick={() => void save()}
        title={`At most ${CSV_HITS_MAX} hits`}
      >
        <DownloadIcon /> Hits as CSV
      </Button>
      {problem !== null && <p role="alert">{problem}</p>}
    </div>
  )
}
