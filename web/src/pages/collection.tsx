/** One channel or playlist: what is there, what is missing and why, and the one button that goes on. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type CollectionDetail, type LibraryVideo } from '../api/client.ts'
import { projectQuery } from '../api/projects.ts'
import { filterAddress, pageAt } from '../addresses.ts'
import {
  collectionQuery,
  COLLECTION_PAGE,
  libraryVideosQuery,
  type RowFilter,
} from '../api/queries.ts'
import { AddToProject } from '../parts/add-to-project.tsx'
import { CollectionSummary } from '../parts/collection-summary.tsx'
import { VideoItem, videoKey } from '../parts/library-video.tsx'
import { LIST_LOOK } from '../parts/list-row.tsx'
import { TakeOut } from '../parts/project-words.tsx'
import { BackLink, PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { PicturesChoice } from '../parts/pictures-choice.tsx'
import { type Selection, SelectionBar, useSelection } from '../parts/selection.tsx'
import { Empty, Waiting } from '../parts/states.tsx'
import { useVideoFilter, VideosHead } from '../parts/video-filters.tsx'
import { count, counted } from '../format.ts'
import { statusWords } from '../words.ts'
import { WaitingPage } from './not-found.tsx'

const route = getRouteApi('/member/library/$id')

export function CollectionPage() {
  const { id } = route.useParams()
  const query = useQuery(collectionQuery(id))
  const { data: collection } = query
  const isProject = collection?.kind === 'project'
  const words = useQuery({ ...projectQuery(id), enabled: isProject })
  const waited = isProject ? words : query
  if (collection === undefined || waited.data === undefined)
    return <WaitingPage query={waited} lines={5} label="Loading the collection" />
  return (
    <>
      <BackLink to="/library">The library</BackLink>
      <PageHead kind="thing" name={collection.title ?? id} />
      <CollectionSummary collection={collection} project={words.data} />
      <Videos collection={collection} />
    </>
  )
}

function Videos({ collection }: { collection: CollectionDetail }) {
  const filtering = useVideoFilter()
  const { filter } = filtering
  const { status, search } = filter
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/library/$id' })
  const offset = (page - 1) * COLLECTION_PAGE
  const query = useQuery(libraryVideosQuery(collection.id, filter, offset))
  const { data } = query
  const videos = data?.videos ?? []
  const selection = useSelection(videos.map(videoKey))
  const project = collection.kind === 'project' ? collection.id : null
  const remaining = collection.remaining ?? 0
  const isUnread = status === 'none' && search === ''
  return (
    <section aria-labelledby="videos" className="mt-6">
      <VideosHead of={filtering} options={choicesOf(collection)} beside={<PicturesChoice />} />
      <Waiting query={query} lines={6} label="Loading the videos" />
      {data?.total === 0 && <NoVideos collection={collection} filter={filter} />}
      {data !== undefined && data.total > 0 && (
        <>
          <p className="sr-only" role="status">
            {counted(data.total, 'video')}
          </p>
          {search !== '' && (status === '' || status === 'success') && (
            <div className="mb-3">
              <AddToProject
                what={{ collection: collection.id, q: search }}
                label="Add those found to a project"
              />
            </div>
          )}
          <ul aria-label="Videos" className={LIST_LOOK}>
            {videos.map((video, at) => (
              <VideoItem
                key={videoKey(video)}
                video={video}
                project={project}
                selection={selection}
                place={{ from: collection.id, at: offset + at, ...filterAddress(filter) }}
              />
            ))}
          </ul>
          {isUnread && remaining > data.total && (
            <p className="mt-3 text-sm text-muted">
              And {count(remaining - data.total)} whose titles are known once a job reads them.
            </p>
          )}
          <Pager
            offset={offset}
            limit={COLLECTION_PAGE}
            total={data.total}
            onOffset={(next) =>
              void navigate({
                search: { ...filterAddress(filter), ...pageAt(next, COLLECTION_PAGE) },
                resetScroll: false,
              })
            }
          />
        </>
      )}
      <Selected selection={selection} videos={videos} project={project} />
    </section>
  )
}

type SelectedProps = { selection: Selection; videos: LibraryVideo[]; project: string | null }

function Selected({ selection, videos, project }: SelectedProps) {
  const chosen = videos.filter((video) => selection.chosen.includes(videoKey(video)))
  const texts = chosen.filter(({ status }) => status === 'success')
  return (
    <SelectionBar
      selection={selection}
      texts={{ rows: texts }}
      again={chosen.flatMap((video) => (texts.includes(video) ? [] : (video.url ?? [])))}
    >
      {project !== null && (
        <TakeOut
          project={project}
          videoIds={[...new Set(chosen.flatMap(({ videoId }) => videoId ?? []))]}
          onDone={() => selection.choose([])}
        >
          <span>
            Remove<span className="max-sm:sr-only"> from the project</span>
          </span>
        </TakeOut>
      )}
    </SelectionBar>
  )
}

/** Returns the choices of what the list shows, with numbers. */
function choicesOf({ kind, counts, remaining }: CollectionDetail) {
  const known = Object.entries(counts).map(
    ([status, videos]) => [status, `${statusWords(status)} (${count(videos)})`] as const,
  )
  const left = remaining ? ` (${count(remaining)})` : ''
  const unread = kind === 'project' ? [] : [['none', `Not fetched yet${left}`] as const]
  return [['', 'All videos'] as const, ...known, ...unread]
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
