/** The library: every channel and playlist with transcripts of the account, filtered and sorted. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { collectionAddress, type LibraryAddress, pageAt, readLibrary } from '../addresses.ts'
import type { Collection } from '../api/client.ts'
import { projectsQuery } from '../api/projects.ts'
import { LIBRARY_PAGE, libraryQuery, ordersQuery } from '../api/queries.ts'
import { Button, buttonLook } from '../parts/controls.tsx'
import { haveWords, moreWords } from '../parts/go-on.tsx'
import { PlusIcon } from '../parts/icons.tsx'
import { ListChoice, ListHead, ListSearch } from '../parts/list-head.tsx'
import { LIST_LOOK, ListRow, PartsBar, Still } from '../parts/list-row.tsx'
import { Projects } from '../parts/projects.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { PicturesChoice } from '../parts/pictures-choice.tsx'
import { SelectBox, type Selection, SelectionBar, useSelection } from '../parts/selection.tsx'
import { Empty, Loading, Waiting } from '../parts/states.tsx'
import { useTypedWord } from '../parts/use-typed-word.ts'
import { count, counted, usdInColumn } from '../format.ts'
import { PICTURES, useKept } from '../kept-choice.ts'
import { KIND_WORDS, PAGE_NAMES } from '../words.ts'
import { FirstSteps } from './first-steps.tsx'
import { TextLink } from '../parts/text-link.tsx'

const route = getRouteApi('/member/library')

export function LibraryPage() {
  const { page = 1, ...asked } = route.useSearch()
  const offset = (page - 1) * LIBRARY_PAGE
  const hasPictures = useKept(PICTURES) === 'on'
  const view = hasPictures ? { view: 'pictures' as const } : {}
  const query = useQuery(libraryQuery({ ...asked, ...view, offset }))
  const { data, error } = query
  // What stands above the list is waited for, so that the list does not move.
  const { isPending: isAbovePending } = useQuery(projectsQuery)
  const isLoading = error === null && (data === undefined || isAbovePending)
  const isNarrowed = asked.q !== undefined || asked.kind !== undefined
  const isEmpty = data?.total === 0 && !isNarrowed
  const { data: jobs } = useQuery({ ...ordersQuery(0), enabled: isEmpty })
  if (isEmpty && jobs?.total === 0) return <FirstSteps />
  return (
    <>
      <PageHead name={PAGE_NAMES.library}>
        <Link to="/new" className={buttonLook('primary')}>
          <PlusIcon /> New job
        </Link>
      </PageHead>
      {isLoading && <Loading lines={5} label="Loading the library" />}
      {!isLoading && (
        <div className="grid gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_14rem]">
          <Projects />
          <div className="min-w-0">
            <Waiting query={query} lines={5} />
            {isEmpty && jobs !== undefined && (
              <Empty title="Nothing here yet">
                Channels and playlists appear here when a job reads them. Your jobs are under{' '}
                <TextLink to="/jobs">{PAGE_NAMES.jobs}</TextLink>.
              </Empty>
            )}
            {data !== undefined && !isEmpty && (
              <Shelves {...{ ...data, asked, offset, hasPictures }} />
            )}
          </div>
        </div>
      )}
    </>
  )
}

type Shelved = {
  asked: LibraryAddress
  collections: Collection[]
  offset: number
  total: number
  hasPictures: boolean
}

function Shelves({ asked, collections, offset, total, hasPictures }: Shelved) {
  const navigate = useNavigate()
  const go = (search: LibraryAddress) => void navigate({ to: '/library', search, replace: true })
  const selection = useSelection(collections.map(({ id }) => id))
  const chosen = collections.filter(({ id }) => selection.chosen.includes(id))
  const title = counted(total, 'channel or playlist', 'channels and playlists')
  return (
    <section aria-labelledby="collections">
      <Narrowing asked={asked} title={title} onGo={go} />
      <p className="sr-only" role="status">
        {title}
      </p>
      {total === 0 && (
        <Empty title="Nothing matches">
          <Button size="small" onClick={() => go({})}>
            Show all
          </Button>
        </Empty>
      )}
      {total > 0 && (
        <ul aria-label="Channels and playlists" className={LIST_LOOK}>
          {collections.map((collection) => (
            <CollectionLine
              key={collection.id}
              collection={collection}
              selection={selection}
              hasPicture={hasPictures}
              hasTwin={collections.some(
                ({ id, title }) => id !== collection.id && title === collection.title,
              )}
            />
          ))}
        </ul>
      )}
      <Pager
        offset={offset}
        limit={LIBRARY_PAGE}
        total={total}
        onOffset={(next) =>
          void navigate({ to: '/library', search: { ...asked, ...pageAt(next, LIBRARY_PAGE) } })
        }
      />
      <SelectionBar
        selection={selection}
        texts={{ collections: selection.chosen }}
        again={chosen.map(collectionAddress)}
      />
    </section>
  )
}

const KINDS = [
  ['', 'All kinds'],
  ['channel', 'Channels'],
  ['playlist', 'Playlists'],
] as const

const SORTS = [
  ['', 'Last change'],
  ['title', 'Name'],
  ['delivered', 'Most transcripts'],
  ['remaining', 'Most to fetch'],
] as const

/** What narrows and orders the list; each change begins at the first page. */
function Narrowing({
  asked,
  title,
  onGo,
}: {
  asked: LibraryAddress
  title: string
  onGo: (next: LibraryAddress) => void
}) {
  const { typed, setTyped } = useTypedWord(asked.q ?? '', (q) => onGo(readLibrary({ ...asked, q })))
  const set = (name: 'kind' | 'sort') => (value: string) =>
    onGo(readLibrary({ ...asked, [name]: value }))
  return (
    <ListHead id="collections" title={title} beside={<PicturesChoice />}>
      <ListSearch
        label="Search names"
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="max-sm:basis-full sm:w-36"
      />
      <ListChoice
        label="Kind"
        value={asked.kind}
        options={KINDS}
        onChoice={set('kind')}
        className="sm:w-28"
      />
      <ListChoice
        label="Sort by"
        value={asked.sort}
        options={SORTS}
        onChoice={set('sort')}
        className="sm:w-36"
      />
    </ListHead>
  )
}

/** One of two with the same name is told by its id's end, too. */
function CollectionLine({
  collection,
  selection,
  hasPicture,
  hasTwin,
}: {
  collection: Collection
  selection: Selection
  hasPicture: boolean
  hasTwin: boolean
}) {
  const { id, kind, title, charged, delivered, known, noCaptions, failed } = collection
  const [have, noun] = haveWords(collection)
  const missing = [
    noCaptions === 0 ? '' : `${count(noCaptions)} without captions`,
    failed === 0 ? '' : `${count(failed)} not available`,
    moreWords(collection),
  ].filter((words) => words !== '')
  return (
    <ListRow
      picture={
        <>
          <SelectBox selection={selection} id={id} name={title ?? id} />
          {hasPicture && <Still address={collection.pictureUrl ?? null} />}
        </>
      }
      name={
        <h2 className="truncate font-sans text-base font-medium tracking-normal">
          <Link
            to="/library/$id"
            params={{ id }}
            className="underline decoration-transparent underline-offset-4 row-link group-hover:text-accent group-hover:decoration-accent"
            dir="auto"
          >
            {title ?? id}
          </Link>
        </h2>
      }
      about={
        <>
          {KIND_WORDS[kind]}
          {hasTwin && <span className="font-mono"> …{id.slice(-6)}</span>}
          {missing.map((words) => ` · ${words}`)}
        </>
      }
      figure={
        <PartsBar
          parts={[
            ['bg-accent', delivered],
            ['bg-control/55', noCaptions + failed],
          ]}
          whole={known}
        />
      }
      end={
        <p className="numbers flex justify-between gap-4 text-sm sm:text-right">
          <span className="sm:w-26">
            {have}
            <span className="sm:sr-only"> {noun}</span>
          </span>
          <span className="text-muted sm:w-14">{usdInColumn(charged)}</span>
        </p>
      }
    />
  )
}
