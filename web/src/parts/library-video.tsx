/** A video in the list of a channel, playlist or project. */
import { type LibraryVideo } from '../api/client.ts'
import { type ListPlace } from '../addresses.ts'
import { Dot, Still } from './list-row.tsx'
import { TakeOut } from './project-words.tsx'
import { statusShade } from './progress.tsx'
import { counted, dotted, languageName, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { PICTURES, useKept } from '../kept-choice.ts'
import { statusWords } from '../words.ts'
import { SiteLink } from './site-link.tsx'
import { VideoTitle } from './video-title.tsx'

export function VideoItem({
  video,
  place,
  project,
}: {
  video: LibraryVideo
  place: ListPlace
  /** The id of the project that is shown; null in other lists. */
  project: string | null
}) {
  const { title, status, url, errorMessage } = video
  const name = title ?? video.videoId ?? 'Unnamed'
  const hasPictures = useKept(PICTURES) === 'on'
  return (
    <li className="flex items-center gap-4 py-3">
      {hasPictures && (
        <Still
          address={
            video.videoId === null ? null : `https://i.ytimg.com/vi/${video.videoId}/mqdefault.jpg`
          }
        />
      )}
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere sm:truncate" dir="auto">
          {status === null ? (
            <span title={name}>{name}</span>
          ) : (
            <VideoTitle row={video} name={name} place={place} hasText={status === 'success'} />
          )}
        </p>
        <p className="truncate text-sm text-muted">
          <Dot shade={statusShade(status ?? 'skipped')} />
          {aboutWords(video)}
        </p>
        {status !== null && (status !== 'success' || errorMessage !== null) && (
          <p className="text-sm wrap-anywhere text-muted" dir="auto">
            {errorMessage ?? video.label}
          </p>
        )}
      </div>
      {url !== null && <SiteLink url={url} name={name} />}
      {project !== null && <TakeOut project={project} video={video} name={name} />}
    </li>
  )
}

/** Returns "English · 1:19 · Nov 19, 2026 · 3 chapters". */
function aboutWords(video: LibraryVideo): string {
  const { status, languageCode, durationSeconds, chapters } = video
  const words =
    status === null
      ? 'Not fetched yet'
      : status === 'success' && languageCode !== null
        ? languageName(languageCode)
        : statusWords(status)
  const parts = [
    words,
    durationSeconds === null ? null : clock(durationSeconds * 1000),
    publishedOn(video),
    chapters?.length ? counted(chapters.length, 'chapter') : null,
  ]
  return dotted(parts)
}
