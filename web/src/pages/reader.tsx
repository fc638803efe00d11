/** A transcript to read: paragraphs with times that open the video there, search, copy, downloads. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { fileLink } from '../api/account.ts'
import type { Job, Video } from '../api/client.ts'
import { jobQuery, segmentsQuery } from '../api/queries.ts'
import { paragraphsOf, placesOf } from '../paragraphs.ts'
import { buttonLook } from '../parts/controls.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { BackIcon, DownloadIcon, OutIcon } from '../parts/icons.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { SearchWithin } from '../parts/search-within.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { TranscriptText } from '../parts/transcript-text.tsx'
import { useVideo } from '../parts/use-video.ts'
import { day, languageName } from '../format.ts'
import { NotFoundPage } from './not-found.tsx'

const route = getRouteApi('/member/jobs/$id/$index')

export function ReaderPage() {
  const params = route.useParams()
  const index = Number(params.index)
  const client = useQueryClient()
  const { data: job } = useQuery({ ...jobQuery(params.id, client), refetchInterval: false })
  const video = useVideo(params.id, index)
  const { data: segments, error } = useQuery(segmentsQuery(params.id, index))
  if (error !== null && 'status' in error && error.status === 404) return <NotFoundPage />
  return (
    <article className="mx-auto max-w-2xl">
      <Link
        to="/jobs/$id"
        params={{ id: params.id }}
        className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted no-underline hover:text-ink"
      >
        <BackIcon /> The whole job
      </Link>
      <PageHead
        name={video?.title ?? 'Transcript'}
        about={<About video={video} />}
        title={
          <span dir="auto" className="block min-h-[1.2em] wrap-anywhere">
            {video?.title ?? ' '}
          </span>
        }
      />
      {error !== null && <Failed error={error} />}
      {segments === undefined && error === null && (
        <Loading lines={6} label="Loading the transcript" />
      )}
      {segments !== undefined && (
        <Transcript segments={segments} video={video} job={job} index={index} />
      )}
    </article>
  )
}

function About({ video }: { video: Video | undefined }) {
  if (video === undefined) return <span className="block min-h-6"> </span>
  const language = video.languageCode === null ? null : languageName(video.languageCode)
  const kind = video.trackKind === 'asr' ? 'automatic captions' : 'captions by the creator'
  const facts = [video.channelName, day(video.publishedAt), language, kind].filter(
    (fact) => fact !== null,
  )
  return (
    <span className="block min-h-6">
      {facts.map((fact, place) => (
        <span key={fact}>
          {place > 0 && ' · '}
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  )
}

type Parts = {
  segments: { startMs: number; endMs: number; text: string }[]
  video: Video | undefined
  job: Job | undefined
  index: number
}

function Transcript({ segments, video, job, index }: Parts) {
  const [typed, setTyped] = useState('')
  const [current, setCurrent] = useState(0)
  const word = useDeferredValue(typed.trim())
  const text = useRef<HTMLDivElement>(null)
  const paragraphs = useMemo(() => paragraphsOf(segments), [segments])
  const places = useMemo(
    () => paragraphs.map((paragraph) => placesOf(paragraph.text, word)),
    [paragraphs, word],
  )
  const total = places.reduce((sum, found) => sum + found.length, 0)
  const go = (to: number) => {
    const next = total === 0 ? 0 : (to + total) % total
    setCurrent(next)
    const marks = text.current?.querySelectorAll('mark')
    marks?.[next]?.scrollIntoView({ block: 'center', behavior: isStill() ? 'auto' : 'smooth' })
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap gap-2">
        <CopyButton
          label="Copy the text"
          text={() => paragraphs.map((paragraph) => paragraph.text).join('\n\n')}
        />
        {job?.input.formats.map((format) => (
          <FormatLink key={format} jobId={job.id} index={index} format={format} />
        ))}
        {video?.url != null && (
          <a
            href={video.url}
            target="_blank"
            rel="noreferrer"
            className={buttonLook('plain', 'small')}
          >
            <OutIcon /> Video
          </a>
        )}
      </div>
      <SearchWithin
        typed={typed}
        onTyped={(next) => {
          setTyped(next)
          setCurrent(0)
        }}
        total={total}
        current={current}
        onGo={go}
      />
      <div ref={text}>
        <TranscriptText
          paragraphs={paragraphs}
          places={places}
          current={current}
          url={video?.url ?? null}
          language={video?.languageCode ?? null}
        />
      </div>
    </>
  )
}

function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

const FORMATS: Record<string, [string, string]> = {
  text: ['txt', 'Text'],
  srt: ['srt', 'SRT'],
  vtt: ['vtt', 'VTT'],
  segments: ['json', 'JSON'],
}

function FormatLink({ jobId, index, format }: { jobId: string; index: number; format: string }) {
  const [ending, name] = FORMATS[format] ?? [format, format]
  return (
    <a
      href={fileLink(jobId, `${index}.${ending}?names=title`)}
      download
      className={buttonLook('plain', 'small')}
    >
      <DownloadIcon /> {name}
    </a>
  )
}
