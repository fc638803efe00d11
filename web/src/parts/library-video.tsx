/** A video in the list of a channel, playlist or project. */
import { type LibraryVideo } from '../api/client.ts'
import { type ListPlace } from '../addresses.ts'
import { Dot, Still } from './list-row.tsx'
import { TakeOut } from './project-words.tsx'
import { statusShade } from './progress.tsx'
import { SelectBox, type Selection } from './selection.tsx'
import { counted, languageName, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { PICTURES, useKept } from '../kept-choice.ts'
import { statusWords } from '../words.ts'
import { SiteLink } from './site-link.tsx'
import { VideoTitle } from './video-title.tsx'

/** Returns the key of a row; a video may be listed in two languages. */
export function videoKey({ videoId, jobId, index }: LibraryVideo): string {
  return `${videoId} ${jobId} ${index}`
}

export function VideoItem({
  video,
  place,
  project,
  selection,
}: {
  video: LibraryVideo
  place: ListPlace
  /** The id of the project that is shown; null in other lists. */
  project: string | null
  selection: Selection
}) {
  const { title, status, url, videoId, errorMessage } = video
  const name = title ?? videoId ?? 'Unnamed'
  const hasPictures = useKept(PICTURES) === 'on'
  return (
    <li className="group relative flex items-center gap-x-4 py-2.5">
      <SelectBox selection={selection} id={videoKey(video)} name={name} />
      {hasPictures && (
        <Still
          address={videoId === null ? null : `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`}
        />
      )}
      <div className="grid min-w-0 flex-1 items-baseline gap-x-4 lg:grid-cols-[minmax(0,1fr)_27.5rem]">
        <p className="min-w-0 wrap-anywhere sm:truncate" dir="auto">
          {status === null ? (
            <span title={name}>{name}</span>
          ) : (
            <VideoTitle row={video} name={name} place={place} hasText={status === 'success'} />
          )}
        </p>
        <About video={video} />
        {status !== null && (status !== 'success' || errorMessage !== null) && (
          <p className="text-sm wrap-anywhere text-muted lg:col-span-2" dir="auto">
            {errorMessage ?? video.label}
          </p>
        )}
      </div>
      {url !== null && <SiteLink url={url} name={name} />}
      {project !== null && videoId !== null && (
        <TakeOut
          project={project}
          videoIds={[videoId]}
          kind="quiet"
          // A phone has no room for it beside the title; who selects rows there has the same.
          className="max-sm:hidden"
          aria-label={`Remove “${name}” from the project`}
        >
          Remove
        </TakeOut>
      )}
    </li>
  )
}

/** Shows "English · 1:19 · Nov 19, 2026 · 3 chapters", on a wide screen as columns. */
function About({ video }: { video: LibraryVideo }) {
  const { status, languageCode, durationSeconds, chapters } = video
  const words =
    status === null
      ? 'Not fetched yet'
      : status === 'success' && languageCode !== null
        ? languageName(languageCode)
        : statusWords(status)
  const parts = [
    durationSeconds === null ? null : clock(durationSeconds * 1000),
    publishedOn(video),
    chapters?.length ? counted(chapters.length, 'chapter') : null,
  ]
  return (
    <p className="numbers truncate text-sm text-muted lg:grid lg:grid-cols-[minmax(0,1fr)_3.5rem_6.5rem_5.5rem] lg:gap-x-3">
      <span className="lg:truncate">
        <Dot shade={statusShade(status ?? 'skipped')} />
        {words}
      </span>
      {parts.map((part, at) => (
        <span key={at} className="lg:text-right">
          {part !== null && <span className="lg:hidden"> · </span>}
          {part}
        </span>
      ))}
    </p>
  )
}
