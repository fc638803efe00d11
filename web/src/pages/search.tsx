/** Everything that is said with some words: how often, by channel, year and month, and each quote. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { hasVisible } from '../../../src/kit/text/invisible.ts'
import { FAULT_SENTENCES, readQuery } from '../../../src/model/search/search-query.ts'
import {
  type AskedSearch,
  HITS_PAGE,
  type Mentions,
  mentionsCsvAddress,
  mentionsQuery,
  type SearchAddress,
  searchQuery,
  type SearchResults,
} from '../api/search.ts'
import { pageAt } from '../addresses.ts'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { buttonLook } from '../parts/controls.tsx'
import { HitLine } from '../parts/hit-line.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { MonthBars, monthBounds } from '../parts/bars.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchCounts } from '../parts/search-counts.tsx'
import { SearchExamples } from '../parts/search-examples.tsx'
import { SearchForm } from '../parts/search-form.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { counted } from '../format.ts'
import { PAGE_NAMES } from '../words.ts'
import { TextLink } from '../parts/text-link.tsx'

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
  const fault = isAsked ? faultOf(asked.q) : null
  const isSent = isAsked && fault === null
  const over = useQuery({ ...searchQuery(asked, COUNTS), enabled: isSent })
  // One request finds out whether the words can be searched for.
  const enabled = isSent && over.data !== undefined && over.error === null
  const found = useQuery({ ...searchQuery(narrowed, { offset, limit: HITS_PAGE }), enabled })
  const said = useQuery({ ...mentionsQuery(asked, COUNTS), enabled })
  const go = (next: SearchAddress) => void navigate({ to: '/search', search: next })
  const error = isAsked ? (found.error ?? over.error) : null
  const mistake = fault ?? mistakeOf(error)
  const isShown = isSent && error === null
  // What stands above the quotes is waited for, so that they do not move.
  const isLoading = over.data === undefined || said.isPending
  return (
    <>
      <PageHead
        name={isAsked ? asked.q : PAGE_NAMES.search}
        title={PAGE_NAMES.search}
        about={
          isAsked ? (
            <span className="block max-sm:min-h-[3em]">
              {saidIn(isShown ? over.data : undefined, said.isPending ? null : said.data)}
            </span>
          ) : (
            'What is said in your transcripts, and when.'
          )
        }
      >
        {isShown && (found.data?.total ?? 1) > 0 && (
          <a href={mentionsCsvAddress(narrowed)} download className={buttonLook()}>
            <DownloadIcon /> All mentions as CSV
          </a>
        )}
      </PageHead>
      <SearchForm key={JSON.stringify(asked)} asked={asked} error={mistake} onAsk={go} />
      {(!isAsked || mistake !== null) && <SearchExamples />}
      {error !== null && mistake === null && (
        <Failed error={error} onRetry={() => void (over.error === null ? found : over).refetch()} />
      )}
      {isShown && isLoading && <Searching refusal={over.failureReason ?? said.failureReason} />}
      {isShown && !isLoading && over.data !== undefined && (
        <>
          <Narrowed asked={asked} found={over.data} />
          {said.data !== undefined && <SearchCounts asked={asked} found={said.data} />}
          <Months asked={asked} month={month ?? null} found={over.data} />
          <Hits found={found.data} asked={narrowed} />
          <Pager
            offset={offset}
            limit={HITS_PAGE}
            total={found.data?.total ?? 0}
            onOffset={(next) => {
              const inMonth = month === undefined ? {} : { month }
              go({ ...asked, ...inMonth, ...pageAt(next, HITS_PAGE) })
            }}
          />
        </>
      )}
    </>
  )
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

/** `said` is null until it is known how many mentions there are. */
function saidIn(found: SearchResults | undefined, said: Mentions | undefined | null): string {
  if (found === undefined || said === null) return ' '
  // All figures are of one answer: two of them may be about other texts while some are being added.
  const { indexed, owned } = said ?? found
  const total = said === undefined ? found.total : said.transcripts
  const mentions = said === undefined || total === 0 ? '' : `, ${counted(said.total, 'mention')}`
  const rest = indexed < owned ? `; so far ${indexed} of ${owned} were searched` : ''
  return `Said in ${counted(total, 'transcript')}${mentions}${rest}`
}

/** The channel to which the search is narrowed, and the way back to all. */
function Narrowed({ asked, found }: { asked: AskedSearch; found: SearchResults }) {
  const { channel, ...everywhere } = asked
  if (channel === undefined) return null
  const name = found.channels.find(({ channelId }) => channelId === channel)?.channelName ?? channel
  return (
    <p className="mb-4 text-sm">
      Only <bdi className="font-medium">{name}</bdi> –{' '}
      <TextLink to="/search" search={everywhere} className="py-1">
        show all channels
      </TextLink>
    </p>
  )
}

/** The months, folded, so that they push no quote away; open where one is chosen. */
function Months({
  asked,
  month,
  found,
}: {
  asked: AskedSearch
  month: string | null
  found: SearchResults
}) {
  if (found.months.length < 2 && month === null) return null
  return (
    <details open={month !== null} className="mb-6">
      <summary className="mb-2 cursor-pointer py-1 text-sm font-medium">By month</summary>
      <MonthBars
        months={found.months}
        chosen={month}
        addressOf={(bar) => ({ ...asked, ...(bar === null ? {} : { month: bar }) })}
      />
    </details>
  )
}

/** `found` is undefined while it loads. */
function Hits({ found, asked }: { found: SearchResults | undefined; asked: AskedSearch }) {
  if (found === undefined) return <Loading lines={4} label="Loading the quotes" />
  const { hits, indexed, owned } = found
  if (hits.length === 0 && indexed < owned)
    return <Empty title={`Nothing found in ${indexed} of ${owned} so far`} />
  if (hits.length === 0)
    return (
      <Empty title="Nothing found">
        Try fewer words, OR between them, the beginning of a word such as bridg*, or remove the
        dates and the language.
      </Empty>
    )
  return (
    <ol aria-label="Quotes" className="divide-y divide-line border-y border-line">
      {hits.map((hit) => (
        <HitLine key={`${hit.jobId} ${hit.index}`} hit={hit} asked={asked} />
      ))}
    </ol>
  )
}
