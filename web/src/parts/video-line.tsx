/** One video of a job, in two lines: its title and its outcome. */
import { FORMATS } from '../../../src/model/files/catalogue.ts'
import { formOf } from '../../../src/model/files/formats.ts'
import { fileLink } from '../api/account.ts'
import type { Job, Video } from '../api/client.ts'
import { languageName, publishedOn } from '../format.ts'
import { statusShade } from './progress.tsx'
import { statusWords } from '../words.ts'
import { SiteLink } from './site-link.tsx'
import { Dot } from './list-row.tsx'
import { VideoTitle } from './video-title.tsx'

export function VideoLine({ job, video }: { job: Job; video: Video | undefined }) {
  if (video === undefined) {
    return (
      <div role="cell" className="flex h-18 items-center">
        <span className="h-4 w-2/3 animate-pulse rounded bg-line" />
      </div>
    )
  }
  const about = [video.channelName, publishedOn(video)].filter((part) => part !== null)
  return (
    <div className="grid min-h-18 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 py-2 sm:grid-cols-[2.75rem_minmax(0,1fr)_auto_auto]">
      <span role="cell" className="numbers hidden text-sm text-muted sm:block">
        {video.index}
      </span>
      <div role="cell" className="min-w-0">
        <p className="wrap-anywhere sm:truncate" dir="auto">
          <Title job={job} video={video} />
        </p>
        <p className="truncate text-sm text-muted">
          <StatusWords video={video} />
          {about.map((part) => (
            <span key={part}>
              {' '}
              · <bdi>{part}</bdi>
            </span>
          ))}
        </p>
        <Why video={video} />
        <p className="flex gap-4 font-mono text-[0.8125rem] md:hidden">
          <Files job={job} video={video} />
        </p>
      </div>
      <div role="cell" className="hidden gap-2.5 font-mono text-[0.8125rem] md:flex">
        <Files job={job} video={video} />
      </div>
      <div role="cell">
        {video.url === null ? (
          <span className="block w-9" />
        ) : (
          <SiteLink url={video.url} name={video.title ?? video.url} />
        )}
      </div>
    </div>
  )
}

function Title({ job, video }: { job: Job; video: Video }) {
  const title = video.title ?? video.url ?? video.videoId ?? 'Unnamed'
  const hasText = video.status === 'success' || video.status === 'unchanged'
  // A row delivered before links to the text of the earlier job, a row without a text to the reason.
  return <VideoTitle row={{ jobId: job.id, index: video.index }} name={title} hasText={hasText} />
}

function StatusWords({ video }: { video: Video }) {
  const words =
    video.status === 'success' && video.languageCode !== null
      ? `${languageName(video.languageCode)}${video.trackKind === 'asr' ? ', automatic' : ''}`
      : statusWords(video.status)
  return (
    <span title={video.label} className="text-ink/85">
      <Dot shade={statusShade(video.status)} />
      {words}
    </span>
  )
}

/** Shows in the row itself why there is no text. */
function Why({ video }: { video: Video }) {
  if (video.status === 'success' || video.status === 'unchanged') return null
  return (
    <p className="text-sm wrap-anywhere text-muted" dir="auto">
      {video.errorMessage ?? video.label}
    </p>
  )
}

function Files({ job, video }: { job: Job; video: Video }) {
  return FORMATS.filter((format) => format in video.files).map((format) => {
    const ending = formOf(format)
    return (
      <a
        key={format}
        className="inline-flex min-h-6 min-w-6 items-center text-muted underline decoration-line underline-offset-4 hover:text-accent"
        download
        href={fileLink(job.id, `${video.index}.${ending}?names=title`)}
        aria-label={`${ending.toUpperCase()} of ${video.title ?? `video ${video.index}`}`}
      >
        {ending}
      </a>
    )
  })
}
