/** The library: every channel and playlist with transcripts of the account, the last changed first. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { Collection } from '../api/client.ts'
import { jobsQuery, LIBRARY_PAGE, libraryQuery } from '../api/queries.ts'
import { buttonLook } from '../parts/controls.tsx'
import { collectionWords } from '../parts/go-on.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { Projects } from '../parts/projects.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { counted, recently, usd } from '../format.ts'
import { FirstSteps } from './first-steps.tsx'

const route = getRouteApi('/member/library')

export function LibraryPage() {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate()
  const offset = (page - 1) * LIBRARY_PAGE
  const { data, error, refetch } = useQuery(libraryQuery(offset))
  const isEmpty = data?.total === 0
  const { data: jobs } = useQuery({ ...jobsQuery(0), enabled: isEmpty })
  if (isEmpty && jobs?.total === 0) return <FirstSteps />
  return (
    <>
      <PageHead
        title="Library"
        name="Library"
        about={
          data === undefined
            ? ' '
            : counted(data.total, 'channel or playlist', 'channels and playlists')
        }
      >
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      <Projects />
      {data === undefined && error === null && <Loading lines={5} label="Loading the library" />}
      {data === undefined && error !== null && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {isEmpty && jobs !== undefined && (
        <Empty title="Nothing here yet">
          Channels and playlists appear here when a job reads them. Your jobs are under{' '}
          <Link to="/jobs" className="link">
            Jobs
          </Link>
          .
        </Empty>
      )}
      {data !== undefined && data.total > 0 && (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {data.collections.map((collection) => (
              <CollectionLine
                key={collection.id}
                collection={collection}
                hasTwin={data.collections.some(
                  ({ id, title }) => id !== collection.id && title === collection.title,
                )}
              />
            ))}
          </ul>
          <Pager
            offset={offset}
            limit={LIBRARY_PAGE}
            total={data.total}
            onOffset={(next) =>
              void navigate({
                to: '/library',
                search: next === 0 ? {} : { page: next / LIBRARY_PAGE + 1 },
              })
            }
          />
        </>
      )}
    </>
  )
}

/** One of two with the same name is told by its id's end, too. */
function CollectionLine({ collection, hasTwin }: { collection: Collection; hasTwin: boolean }) {
  const { id, kind, title, charged, lastLookedAt } = collection
  return (
    <li className="group relative py-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="min-w-0 truncate font-sans text-base font-medium tracking-normal">
          <Link
            to="/library/$id"
            params={{ id }}
            className="underline decoration-transparent underline-offset-4 row-link group-hover:text-accent group-hover:decoration-accent"
            dir="auto"
          >
            {title ?? id}
          </Link>
        </h2>
        <span className="text-sm whitespace-nowrap text-muted">
          {kind === 'channel' ? 'Channel' : 'Playlist'}
          {hasTwin && <span className="font-mono"> …{id.slice(-6)}</span>}
        </span>
      </div>
      <div className="mt-1.5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p className="numbers text-sm text-muted">{collectionWords(collection)}</p>
        <p className="numbers ml-auto text-sm whitespace-nowrap text-muted">
          {usd(charged)}
          {lastLookedAt === null ? '' : ` · checked ${recently(lastLookedAt)}`}
        </p>
      </div>
    </li>
  )
}
