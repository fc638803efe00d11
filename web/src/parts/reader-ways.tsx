/**
 * Ways out of one video: back to where it was opened, which is in the address, and to the ones before and after it
 * there: of its job, or of a channel's list as it was filtered.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { library } from '../api/client.ts'
import { COLLECTION_PAGE, collectionQuery, neighboursQuery } from '../api/queries.ts'
import { filterAddress, type ListPlace, pageAt } from '../addresses.ts'
import { BackIcon } from './icons.tsx'
import { OpenedFrom } from './opened-from.tsx'

type Row = { jobId: string; index: number }

/** The last part of a way: where a text lies, and its place in the list through which it was opened. */
type Beside = Row & { place: ListPlace }

/** Number of places of a list, before and behind a video, in which a text beside it is looked for. */
const LOOKED_AT = 20

/** The texts before and behind a place of a collection's list, as it was filtered. */
const listedBesideQuery = ({ from = '', at = 0, status = '', q = '' }: ListPlace) =>
  queryOptions({
    queryKey: ['collection', from, 'beside', at, status, q],
    queryFn: async ({ signal }) => {
      const offset = Math.max(0, at - LOOKED_AT)
      const limit = at - offset + 1 + LOOKED_AT
      const filter = filterAddress({ status, search: q })
      const { videos } = await library.videosPage(from, { offset, limit, ...filter, signal })
      const texts = videos.flatMap(({ jobId, index, status: outcome }, nth): Beside[] =>
        outcome === 'success'
          ? [{ jobId, index, place: { from, at: offset + nth, ...filter } }]
          : [],
      )
      return {
        previous: texts.findLast(({ place }) => (place.at ?? 0) < at) ?? null,
        next: texts.find(({ place }) => (place.at ?? 0) > at) ?? null,
      }
    },
  })

export function ReaderWays({ jobId, index }: Row) {
  const place = useSearch({ strict: false }) as ListPlace
  const isOfJob = place.from === undefined
  const ofJob = useQuery({ ...neighboursQuery(jobId, index), enabled: isOfJob })
  const ofList = useQuery({ ...listedBesideQuery(place), enabled: !isOfJob })
  const { previous, next } = (isOfJob ? ofJob.data : ofList.data) ?? {}
  const ways = { Previous: previous, Next: next }
  return (
    <nav
      aria-label="Other transcripts"
      className="mb-4 flex min-h-6 flex-wrap items-center gap-x-6 gap-y-1 text-sm text-muted print:hidden"
    >
      <WayBack jobId={jobId} place={place} />
      {Object.entries(ways).map(
        ([name, to]) =>
          to && (
            <Link
              key={name}
              to="/jobs/$id/$index"
              params={{ id: to.jobId, index: String(to.index) }}
              search={to.place}
              aria-label={`${name} transcript`}
              className="inline-flex min-h-6 items-center no-underline hover:text-ink"
            >
              {name}
            </Link>
          ),
      )}
    </nav>
  )
}

const BACK_LOOK = 'mr-auto inline-flex min-h-6 items-center gap-1.5 no-underline hover:text-ink'

/** Leads to the channel's list at its page, else to where the text was opened, or to the job. */
function WayBack({ jobId, place }: { jobId: string; place: ListPlace }) {
  const { from, at = 0, status = '', q = '' } = place
  const { data } = useQuery({ ...collectionQuery(from ?? ''), enabled: from !== undefined })
  if (from === undefined)
    return (
      <OpenedFrom look={BACK_LOOK}>
        <Link to="/jobs/$id" params={{ id: jobId }} className={BACK_LOOK}>
          <BackIcon /> The whole job
        </Link>
      </OpenedFrom>
    )
  const offset = Math.floor(at / COLLECTION_PAGE) * COLLECTION_PAGE
  return (
    <Link
      to="/library/$id"
      params={{ id: from }}
      search={{ ...filterAddress({ status, search: q }), ...pageAt(offset, COLLECTION_PAGE) }}
      className={BACK_LOOK}
    >
      <BackIcon /> <bdi>{data?.title ?? 'The library'}</bdi>
    </Link>
  )
}
