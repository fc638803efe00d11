/** Everything that is said with some words: how often, by channel, year and month, and each quote. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { FAULT_SENTENCES, readQuery } from '../../../src/model/search/search-query.ts'
import {
  type AskedSearch,
  HITS_PAGE,
  type Mentions,
  mentionsCsvAddress,
  mentionsQuery,
  type SearchAddress,
  type SearchHit,
  searchQuery,
  type SearchResults,
} from '../api/search.ts'
import { pageAt } from '../addresses.ts'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { visitQuery } from '../api/queries.ts'
import { keepSearch } from '../kept-searches.ts'
import { buttonLook } from '../parts/controls.tsx'
import { HitLine } from '../parts/hit-line.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { MonthBars, monthBounds } from '../parts/bars.tsx'
import { ListHead } from '../parts/list-head.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { RecentSearches } from '../parts/recent-searches.tsx'
import { SearchCounts } from '../parts/search-counts.tsx'
import { SearchExamples } from '../parts/search-examples.tsx'
import { SearchForm } from '../parts/search-form.tsx'
import { SelectBox, SelectionBar, useSelection } from '../parts/selection.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { counted } from '../format.ts'
import { PAGE_NAMES } from '../words.ts'

const route = getRouteApi('/member/search')
/** Page for the counts alone: the API returns at least one hit. */
const COUNTS = { offset: 0, limit: 1 }

export function SearchPage() {
  const { month, page = 1, ...address } = route.useSearch()
  const navigate = useNavigate()
  const asked: AskedSearch = { q: '', ...address }
  const inMonth = { ...asked, ...(month === undefined ? {} : { month }) }
  const isAsked = hasVisible(asked.q)
  const offset = (page - 1) * HITS_PAGE
  const fault = isAsked ? faultOf(asked.q) : null
  const isSent = isAsked && fault === null
  const narrowed: AskedSearch = month === undefined ? asked : { ...asked, ...monthBounds(month) }
  const found = useQuery({
    ...searchQuery(narrowed, { offset, limit: HITS_PAGE }),
    enabled: isSent,
  })
  // Hits of the words before are shown until there are others.
  const isAnswered = isSent && found.isSuccess && !found.isPlaceholderData
  const { said, channels, months } = useCounts(asked, narrowed, isAnswered)
  useRemembered(asked, isAnswered)
  const go = (next: SearchAddress) => void navigate({ to: '/search', search: next })
  const error = isAsked ? found.error : null
  const mistake = fault ?? mistakeOf(error)
  const isShown = isSent && error === null
  // What stands above the quotes is waited for, so that they do not move.
  const waited = [said, channels, months].find((one) => one.isPending)
  return (
    <>
      <PageHead name={isAsked ? asked.q : PAGE_NAMES.search} title={PAGE_NAMES.search} />
      <SearchForm asked={inMonth} channels={channels.data?.channels} error={mistake} onAsk={go} />
      {(!isAsked || mistake !== null) && (
        <div className="items-start gap-12 space-y-8 lg:flex [&>section]:flex-1">
          <RecentSearches />
          <SearchExamples />
        </div>
      )}
      {error !== null && mistake === null && (
        <Failed error={error} onRetry={() => void found.refetch()} />
      )}
      {isShown && (found.data === undefined || waited !== undefined) && (
        <Searching refusal={found.failureReason ?? waited?.failureReason ?? null} />
      )}
      {isShown && found.data !== undefined && waited === undefined && (
        <div className="lg:flex lg:gap-12">
          <div className="mb-4 space-y-3 empty:hidden lg:order-last lg:w-72 lg:shrink-0 lg:space-y-6">
            <SearchCounts asked={inMonth} byChannel={channels.data} byMonth={months.data} />
            {months.data !== undefined && (
              <Months asked={asked} month={month ?? null} found={months.data} />
            )}
          </div>
          <section aria-labelledby="found" className="min-w-0 flex-1">
            <Hits
              found={found.data}
              // Counts of the words before would contradict the hits.
              said={said.isPlaceholderData ? undefined : said.data}
              asked={narrowed}
            />
            <Pager
              offset={offset}
              limit={HITS_PAGE}
              total={found.data.total}
              onOffset={(next) => go({ ...inMonth, ...pageAt(next, HITS_PAGE) })}
            />
          </section>
        </div>
      )}
    </>
  )
}

/** Returns the mentions of a search, and how they lie in channels and months, whichever of these is chosen. */
function useCounts(asked: AskedSearch, narrowed: AskedSearch, enabled: boolean) {
  const { channel: _channel, ...everywhere } = narrowed
  const { after: _after, before: _before, ...always } = asked
  return {
    said: useQuery({ ...mentionsQuery(narrowed, COUNTS), enabled }),
    channels: useQuery({ ...mentionsQuery(everywhere, COUNTS), enabled }),
    months: useQuery({ ...mentionsQuery(always, COUNTS), enabled }),
  }
}

/** Keeps a search once it was answered. */
function useRemembered(asked: AskedSearch, isAnswered: boolean): void {
  const { data: visit } = useQuery(visitQuery)
  const accountId = visit?.accountId ?? null
  const search = JSON.stringify(asked)
  useEffect(() => {
    if (isAnswered && accountId !== null) keepSearch(accountId, JSON.parse(search) as AskedSearch)
  }, [isAnswered, accountId, search])
}

/** `refusal` is why the last request was refused, while the next is waited for; null where none was. */
function Searching({ refusal }: { refusal: Error | null }) {
  const sentence =
    refusal === null ? null : `${sentenceOf(refusal)} This page asks again by itself.`
  return (
    <>
      {sentence !== null && <p className="mb-4 text-muted">{sentence}</p>}
      <Loading lines={6} label={sentence ?? 'Searching'} />
    </>
  )
}

/** Returns what is wrong with words alone, which is known without asking; null where nothing is. */
function faultOf(words: string): string | null {
  const read = readQuery(words)
  return 'fault' in read ? FAULT_SENTENCES[read.fault] : null
}

/** Returns what is wrong with the words that were typed; null where something else failed, or nothing. */
function mistakeOf(error: unknown): string | null {
  return error instanceof ApiError && error.status === 400 ? error.message : null
}

/** `said` is undefined where the mentions could not be counted. */
function foundIn(found: SearchResults, said: Mentions | undefined): string {
  // All figures are of one answer: two of them may be about other texts while some are being added.
  const { indexed, owned } = said ?? found
  const mentions = said === undefined ? '' : `, ${counted(said.total, 'mention')}`
  const rest = indexed < owned ? `; so far in ${indexed} of ${owned}` : ''
  return `${counted(said?.transcripts ?? found.total, 'transcript')}${mentions}${rest}`
}

type MonthsProps = { asked: AskedSearch; month: string | null; found: Mentions }

/** The months of the chosen days, folded where they would push quotes away; open where one is chosen. */
function Months({ asked, month, found }: MonthsProps) {
  const [first, last] = [asked.after?.slice(0, 7) ?? '', asked.before?.slice(0, 7) ?? '~']
  const months = new Map(
    found.months.flatMap(({ month: name, transcripts }) =>
      name !== null && name >= first && name <= last ? [[name, transcripts]] : [],
    ),
  )
  if (months.size < 2 && month === null) return null
  const isBeside = matchMedia('(width >= 64rem)').matches
  return (
    <details open={isBeside || month !== null}>
      <summary className="mb-2 cursor-pointer py-1 text-sm font-medium">By month</summary>
      <MonthBars
        months={months}
        chosen={month}
        addressOf={(bar) => ({ ...asked, ...(bar === null ? {} : { month: bar }) })}
      />
    </details>
  )
}

const hitKey = ({ jobId, index }: SearchHit) => `${jobId} ${index}`

type HitsProps = { found: SearchResults; said: Mentions | undefined; asked: AskedSearch }

function Hits({ found, said, asked }: HitsProps) {
  const { hits, indexed, owned } = found
  const selection = useSelection(hits.map(hitKey))
  if (hits.length === 0 && indexed < owned)
    return <Empty title={`Nothing found in ${indexed} of ${owned} so far`} />
  if (hits.length === 0)
    return (
      <Empty title="Nothing found">
        Try fewer words, OR between them, the beginning of a word such as bridg*, or remove filters.
      </Empty>
    )
  return (
    <>
      <ListHead id="found" title={foundIn(found, said)}>
        <a
          href={mentionsCsvAddress(asked)}
          download
          className={`${buttonLook('quiet', 'small')} -mx-3`}
        >
          <DownloadIcon /> All mentions as CSV
        </a>
      </ListHead>
      <ol aria-label="Quotes" className="divide-y divide-line border-y border-line">
        {hits.map((hit) => (
          <li key={hitKey(hit)} className="group relative flex py-4">
            <SelectBox selection={selection} id={hitKey(hit)} name={hit.title ?? hit.videoId} />
            <HitLine hit={hit} asked={asked} />
          </li>
        ))}
      </ol>
      <SelectionBar
        selection={selection}
        texts={{ rows: hits.filter((hit) => selection.chosen.includes(hitKey(hit))) }}
      />
    </>
  )
}
