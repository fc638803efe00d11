/** One channel or playlist: what is there, what is missing and why, and the one button that goes on. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { collectionFileLink } from '../api/account.ts'
import { type CollectionDetail } from '../api/client.ts'
import { filterAddress, pageAt } from '../addresses.ts'
import {
  collectionQuery,
  COLLECTION_PAGE,
  libraryVideosQuery,
  type RowFilter,
} from '../api/queries.ts'
import { AllFiles, FileLinks } from '../parts/download-menu.tsx'
import { FollowHere } from '../parts/follow-here.tsx'
import { GoOn } from '../parts/go-on.tsx'
import { AddToProject } from '../parts/add-to-project.tsx'
import { DeleteTexts } from '../parts/delete-texts.tsx'
import { buttonLook, Choice, Field } from '../parts/controls.tsx'
import { DownloadIcon } from '../parts/icons.tsx'
import { VideoItem } from '../parts/library-video.tsx'
import { LIST_LOOK } from '../parts/list-row.tsx'
import { Menu } from '../parts/menu.tsx'
import { ProjectWords } from '../parts/project-words.tsx'
import { BackLink, PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { PicturesChoice } from '../parts/pictures-choice.tsx'
import { Empty, Waiting } from '../parts/states.tsx'
import { useTypedWord } from '../parts/use-typed-word.ts'
import { count, counted, dotted, languageName, recently, usd } from '../format.ts'
import { FIELD_NAMES, KIND_WORDS, statusWords } from '../words.ts'
import { WaitingPage } from './not-found.tsx'

const route = getRouteApi('/member/library/$id')

export function CollectionPage() {
  const { id } = route.useParams()
  const query = useQuery(collectionQuery(id))
  const { data: collection } = query
  if (collection === undefined)
    return <WaitingPage query={query} lines={5} label="Loading the collection" />
  const { title, kind, charged, lastLookedAt } = collection
  const facts = [
    KIND_WORDS[kind],
    kind === 'project' ? '' : `${usd(charged)} spent`,
    lastLookedAt === null ? '' : `checked ${recently(lastLookedAt)}`,
    collection.languages.map(languageName).join(', '),
  ]
  return (
    <>
      <BackLink to="/library">The library</BackLink>
      <PageHead kind="thing" name={title ?? id} about={dotted(facts)} />
      {kind === 'project' && <ProjectWords id={id} />}
      <GoOn collection={collection} />
      <div className="mt-4 flex flex-wrap items-start gap-2">
        {collection.delivered > 0 && <Downloads collection={collection} />}
        {kind !== 'project' && <FollowHere collection={collection} />}
        {collection.delivered > 0 && (
          <DeleteTexts
            path={`/library/${id}/texts`}
            trigger="Delete its texts…"
            triggerLook={buttonLook('plain', 'small')}
          />
        )}
      </div>
      <Videos collection={collection} />
    </>
  )
}

/** The files in one menu, which is the page's main act once nothing is left to fetch. */
function Downloads({ collection: { id, remaining, delivered } }: { collection: CollectionDetail }) {
  const link = (file: string) => collectionFileLink(id, file)
  return (
    <section aria-label="Downloads">
      <Menu
        label={
          <>
            <DownloadIcon /> Download
          </>
        }
        look={buttonLook(remaining === 0 ? 'primary' : 'plain', 'small')}
      >
        <FileLinks files={[{ name: `All ${count(delivered)} as a ZIP`, href: link('zip') }]} />
        <AllFiles link={link} query="formats=text" />
      </Menu>
    </section>
  )
}

function Videos({ collection }: { collection: CollectionDetail }) {
  const address = useListAddress()
  const { status, search, offset, setOffset } = address
  const query = useQuery(libraryVideosQuery(collection.id, { status, search }, offset))
  const { data } = query
  const remaining = collection.remaining ?? 0
  const isUnread = status === 'none' && search === ''
  return (
    <section aria-labelledby="videos" className="mt-10 border-t border-line pt-8">
      <Filters collection={collection} address={address} />
      <Waiting query={query} lines={6} label="Loading the videos" />
      {data?.total === 0 && <NoVideos collection={collection} filter={{ status, search }} />}
      {data !== undefined && data.total > 0 && (
        <>
          <p className="sr-only" role="status">
            {counted(data.total, 'video')}
          </p>
          {(status === '' || status === 'success') && (
            <AddListed collection={collection} search={search} />
          )}
          <ul aria-label="Videos" className={LIST_LOOK}>
            {data.videos.map((video, at) => (
              <VideoItem
                key={`${video.videoId} ${video.jobId}`}
                video={video}
                project={collection.kind === 'project' ? collection.id : null}
                place={{
                  from: collection.id,
                  at: offset + at,
                  ...filterAddress({ status, search }),
                }}
              />
            ))}
          </ul>
          {isUnread && remaining > data.total && (
            <p className="mt-3 text-sm text-muted">
              And {count(remaining - data.total)} whose titles are known once a job reads them.
            </p>
          )}
          <Pager offset={offset} limit={COLLECTION_PAGE} total={data.total} onOffset={setOffset} />
        </>
      )}
    </section>
  )
}

type FiltersProps = { collection: CollectionDetail; address: ReturnType<typeof useListAddress> }

function Filters({ collection, address }: FiltersProps) {
  const { status, search, typed, setTyped, setFilter } = address
  const remaining = collection.remaining ?? 0
  return (
    <div className="mb-4 flex flex-wrap items-end gap-4">
      <div className="mr-auto">
        <h2 id="videos" className="text-xl">
          Videos
        </h2>
        <PicturesChoice />
      </div>
      <Choice
        label="Show"
        value={status}
        onChange={(event) => setFilter({ status: event.target.value, search })}
        className="w-full sm:w-56"
      >
        <option value="">All</option>
        {Object.entries(collection.counts).map(([name, videos]) => (
          <option key={name} value={name}>
            {statusWords(name)} ({count(videos)})
          </option>
        ))}
        {collection.kind !== 'project' && (
          <option value="none">Not fetched yet{remaining > 0 && ` (${count(remaining)})`}</option>
        )}
      </Choice>
      <Field
        label={FIELD_NAMES.titles}
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="w-full sm:w-60"
      />
    </div>
  )
}

type Shown = { collection: CollectionDetail; filter: RowFilter }

/** Says why the list is empty. */
function NoVideos({ collection, filter: { status, search } }: Shown) {
  const remaining = collection.remaining ?? 0
  if (collection.kind === 'project' && collection.known === 0)
    return (
      <Empty title="Nothing here yet">
        Add transcripts from the page of a job, a channel or a playlist, or while you read one.
      </Empty>
    )
  if (status === 'none' && search === '' && remaining > 0)
    return (
      <Empty title={`${counted(remaining, 'video')} not fetched yet`}>
        Their titles are known once a job reads them. The button above fetches the next ones.
      </Empty>
    )
  return <Empty title="No matching videos">Try another filter or search.</Empty>
}

/** Adds to a project what the list shows. */
function AddListed({ collection, search }: { collection: CollectionDetail; search: string }) {
  if (collection.delivered === 0) return null
  return (
    <div className="mb-4">
      <AddToProject
        what={{ collection: collection.id, ...(search === '' ? {} : { q: search }) }}
        label={search === '' ? 'Add all to a project' : 'Add those found to a project'}
      />
    </div>
  )
}

/** Returns filter, word and page, which are kept in the address. */
function useListAddress() {
  const { status = '', q = '', page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/library/$id' })
  const setFilter = (filter: RowFilter) =>
    void navigate({ search: filterAddress(filter), replace: true, resetScroll: false })
  const { typed, setTyped, word } = useTypedWord(q, (next) => setFilter({ status, search: next }))
  const setOffset = (next: number) =>
    void navigate({
      search: { ...filterAddress({ status, search: word }), ...pageAt(next, COLLECTION_PAGE) },
      resetScroll: false,
    })
  const offset = (page - 1) * COLLECTION_PAGE
  return { status, search: word, offset, typed, setTyped, setFilter, setOffset }
}
