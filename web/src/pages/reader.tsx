/**
 * A transcript to read: its paragraphs with times, a search that keeps its place, the video beside it in step with the
 * words, copies, citations and downloads.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useLocation } from '@tanstack/react-router'
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { hasVisible, visibleLine } from '../../../src/kit/text/invisible.ts'
import type { Job, JobVideo, Segment } from '../api/client.ts'
import { ApiError } from '../api/problem.ts'
import { jobQuery, jobVideoQuery, segmentsQuery } from '../api/queries.ts'
import { clock, day, languageName } from '../format.ts'
import { matchesOf } from '../matches.ts'
import { firstOf, placeAt, type Reading, readingOf, timeAt, timeOfHash } from '../reading.ts'
import { PageHead } from '../parts/page-head.tsx'
import type { PlayerHandle } from '../parts/player.tsx'
import { lengthWords, ReaderTools } from '../parts/reader-tools.tsx'
import { ReaderWays } from '../parts/reader-ways.tsx'
import { SearchWithin } from '../parts/search-within.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { type Said, type TextHandle, TranscriptText } from '../parts/transcript-text.tsx'
import { WatchBeside } from '../parts/watch-beside.tsx'
import { NotFoundPage } from './not-found.tsx'
import { UndeliveredPage } from './undelivered.tsx'

const route = getRouteApi('/member/jobs/$id/$index')

export function ReaderPage() {
  const params = route.useParams()
  const index = Number(params.index)
  const { data: video, error } = useQuery(jobVideoQuery(params.id, index))
  if (error instanceof ApiError && error.status === 404) return <NotFoundPage />
  if (error !== null) return <Failed error={error} />
  if (video === undefined) return <Loading lines={6} label="Loading the transcript" />
  const { text: place } = video
  if (place === null) return <UndeliveredPage row={video} />
  if (place.jobId !== params.id || place.index !== index)
    return (
      <Navigate
        to="/jobs/$id/$index"
        params={{ id: place.jobId, index: String(place.index) }}
        search
        hash
        replace
      />
    )
  return <Reader key={`${params.id} ${index}`} video={video} />
}

/** Lays out the columns: the text, and beside it the video, which is between head and text on a narrow screen. */
function Reader({ video }: { video: JobVideo }) {
  const { jobId, index } = video
  const { data: job } = useQuery(jobQuery(jobId))
  const { data: segments, error } = useQuery(segmentsQuery(jobId, index))
  const [playedFromMs, setPlayedFrom] = useState<number | null>(null)
  const [saidMs, setSaidMs] = useState<number | null>(null)
  const player = useRef<PlayerHandle>(null)
  const seek = (ms: number) => player.current?.seek(ms)
  const title = video.title ?? 'Transcript'
  return (
    <article className="mx-auto max-w-2xl lg:grid lg:max-w-none lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-10">
      <div className="min-w-0">
        <ReaderWays jobId={jobId} index={index} />
        <PageHead
          name={title}
          about={<About video={video} />}
          title={
            <span dir="auto" className="block min-h-[1.2em] wrap-anywhere">
              {title}
            </span>
          }
        />
      </div>
      <WatchBeside
        video={video}
        playedFromMs={playedFromMs}
        player={player}
        onPlay={() => setPlayedFrom(timeOfHash(location.hash.slice(1)) ?? 0)}
        onTime={setSaidMs}
        onClose={() => {
          setPlayedFrom(null)
          setSaidMs(null)
        }}
      />
      <div className="min-w-0 lg:col-start-1">
        {error !== null && <Failed error={error} />}
        {segments === undefined && error === null && (
          <Loading lines={6} label="Loading the transcript" />
        )}
        {segments !== undefined && (
          <Transcript
            segments={segments}
            video={video}
            job={job}
            saidMs={saidMs}
            onSeek={playedFromMs === null ? null : seek}
          />
        )}
      </div>
    </article>
  )
}

function About({ video }: { video: JobVideo }) {
  const language = video.languageCode === null ? null : languageName(video.languageCode)
  const kind = video.trackKind === 'asr' ? 'automatic captions' : 'captions by the creator'
  const facts = [video.channelName, day(video.publishedAt), language, kind].filter(
    (fact) => fact !== null,
  )
  return (
    <span className="block min-h-6">
      {facts.map((fact, index) => (
        <span key={fact}>
          {index > 0 && ' · '}
          <bdi>{fact}</bdi>
        </span>
      ))}
    </span>
  )
}

type Props = {
  segments: Segment[]
  video: JobVideo
  job: Job | undefined
  /** Position of the video in milliseconds; null where none plays. */
  saidMs: number | null
  onSeek: ((ms: number) => void) | null
}

function Transcript({ segments, video, job, saidMs, onSeek }: Props) {
  // A text of eleven hours takes a phone a while to lay out: its beginning is drawn meanwhile.
  const [first] = useState(() => firstOf(segments))
  const shown = useDeferredValue(segments, first)
  const reading = readingOf(shown)
  const isWhole = shown.length === segments.length
  const length = useMemo(
    () => (isWhole ? lengthWords(reading, video.languageCode) : ' '),
    [reading, isWhole, video],
  )
  const text = useRef<TextHandle>(null)
  const search = useSearchWithin(reading, text)
  const { matches, current, setCurrent } = search
  const clicked = useOpenAt({ reading, isWhole, matches, text, onCurrent: setCurrent, onSeek })
  const said = useSaid(reading, saidMs, text)
  const onWord = (paragraph: number, offset: number) => {
    const ms = timeAt(reading, paragraph, offset)
    clicked.current = `t=${clock(ms)}`
    history.replaceState(history.state, '', `#${clicked.current}`)
    onSeek?.(ms)
  }
  return (
    <>
      <p className="numbers -mt-4 mb-4 min-h-5 text-sm text-muted">{length}</p>
      <ReaderTools read={() => readingOf(segments)} video={video} job={job} />
      <SearchWithin
        typed={search.typed}
        onTyped={search.type}
        total={search.total}
        current={current}
        onGo={search.go}
      />
      <TranscriptText
        handle={text}
        paragraphs={reading.paragraphs}
        matches={matches}
        current={current}
        said={said}
        url={video.url}
        language={video.languageCode}
        onWord={onSeek === null ? null : onWord}
      />
    </>
  )
}

/**
 * Searches from the reader's place: typing goes to the first match from what is in sight on, the keys to the next ones.
 */
function useSearchWithin(reading: Reading, text: RefObject<TextHandle | null>) {
  const { find = '' } = route.useSearch()
  const [typed, setTyped] = useState(find)
  const [current, setCurrent] = useState(0)
  const word = useDeferredValue(visibleLine(typed))
  const matches = useMemo(
    () => reading.paragraphs.map((paragraph) => matchesOf(paragraph.text, word)),
    [reading, word],
  )
  const total = matches.reduce((sum, found) => sum + found.length, 0)
  /** Paragraph in sight when the typing began. */
  const begunAt = useRef(0)
  const shown = useRef(visibleLine(find))

  const go = (to: number) => {
    const next = total === 0 ? 0 : (to + total) % total
    setCurrent(next)
    text.current?.show(paragraphOf(matches, next))
  }
  const type = (next: string) => {
    if (!hasVisible(typed)) begunAt.current = text.current?.first() ?? 0
    setTyped(next)
  }
  useEffect(() => {
    if (word === shown.current) return
    shown.current = word
    const before = matches.slice(0, begunAt.current)
    const passed = before.reduce((sum, found) => sum + found.length, 0)
    const next = passed < total ? passed : 0
    setCurrent(next)
    if (total > 0) text.current?.show(paragraphOf(matches, next))
  }, [word, matches, total, text])
  return { typed, type, matches, total, current, setCurrent, go }
}

function paragraphOf(matches: [number, number][][], match: number): number {
  let before = 0
  return matches.findIndex((found) => (before += found.length) > match)
}

/**
 * Opens an address with `#t=4:07` at that time, at the first match there; an address that a click wrote moves nothing.
 */
function useOpenAt({
  reading,
  isWhole,
  matches,
  text,
  onCurrent,
  onSeek,
}: {
  reading: Reading
  isWhole: boolean
  matches: [number, number][][]
  text: RefObject<TextHandle | null>
  onCurrent: (match: number) => void
  onSeek: ((ms: number) => void) | null
}) {
  const hash = useLocation({ select: (location) => location.hash })
  const opened = useRef<string | null>(null)
  const clicked = useRef<string | null>(null)
  useEffect(() => {
    if (!isWhole || opened.current === hash) return
    const isFirst = opened.current === null
    opened.current = hash
    // The router also sees times that a click wrote into the address; text and video are at that time already.
    if (hash === clicked.current) return
    const ms = timeOfHash(hash)
    // Without a time, the text opens at the word that led here.
    if (ms === null && !(isFirst && matches.some((found) => found.length > 0))) return
    const at = ms === null ? paragraphOf(matches, 0) : placeAt(reading, ms + 999).paragraph
    onCurrent(matches.slice(0, at).reduce((sum, found) => sum + found.length, 0))
    text.current?.show(at)
    if (ms !== null) onSeek?.(ms)
  }, [hash, reading, isWhole, matches, text, onCurrent, onSeek])
  return clicked
}

/** Returns what is being said now. The text follows until the reader scrolls away from it. */
function useSaid(
  reading: Reading,
  saidMs: number | null,
  text: RefObject<TextHandle | null>,
): Said | null {
  const said = useMemo(() => (saidMs === null ? null : placeAt(reading, saidMs)), [reading, saidMs])
  const before = useRef<{ said: Said | null; isSeen: boolean }>({ said: null, isSeen: true })
  useEffect(() => {
    const { said: last, isSeen } = before.current
    const isNew = last?.paragraph !== said?.paragraph || last?.from !== said?.from
    if (said !== null && isNew && isSeen && !isInSight('[data-said]'))
      text.current?.show(said.paragraph, '[data-said]')
    // Until the next words are said, each update notes whether these are still in sight.
    before.current = { said, isSeen: isNew ? isSeen : isInSight('[data-said]') }
  }, [said, text])
  return said
}

function isInSight(selector: string): boolean {
  const box = document.querySelector(selector)?.getBoundingClientRect()
  return box !== undefined && box.bottom > 0 && box.top < innerHeight
}
