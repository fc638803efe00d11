/**
 * A transcript to read: its paragraphs with times, a search that keeps its place, the video beside it in step with the
 * words, copies, citations and downloads.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Job, JobVideo, Segment } from '../api/client.ts'
import { jobQuery, segmentsQuery } from '../api/queries.ts'
import { languageName, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { firstOf, readingOf, timeAt, timeOfHash } from '../reading.ts'
import { UNSURE_WORDS, useKept } from '../kept-choice.ts'
import { placeOfWord, wordIn, type WordTimes } from '../word-times.ts'
import { AboutCaptions } from '../parts/about-captions.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PlayerHandle } from '../parts/player.tsx'
import { lengthWords, ReaderTools } from '../parts/reader-tools.tsx'
import { ReaderWays } from '../parts/reader-ways.tsx'
import { SearchWithin } from '../parts/search-within.tsx'
import { Waiting } from '../parts/states.tsx'
import { type TextHandle, TranscriptText } from '../parts/transcript-text.tsx'
import { useOpenAt } from '../parts/use-open-at.ts'
import { useSaid } from '../parts/use-said.ts'
import { useSearchWithin } from '../parts/use-search-within.ts'
import { useSpokenWord, useWordKeys, useWordTimes } from '../parts/use-words.ts'
import { captionsWords } from '../words.ts'
import { WatchBeside } from '../parts/watch-beside.tsx'

const route = getRouteApi('/member/jobs/$id/$index')

/** Lays out the columns: the text, and beside it the video, which is between head and text on a narrow screen. */
export function Reader({ video }: { video: JobVideo }) {
  const { jobId, index } = video
  const { t = 0 } = route.useSearch()
  const { data: job } = useQuery(jobQuery(jobId))
  const query = useQuery(segmentsQuery(jobId, index))
  const { data: segments } = query
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
          kind="thing"
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
        onPlay={() => setPlayedFrom(timeOfHash(location.hash.slice(1)) ?? t * 1000)}
        onTime={setSaidMs}
        onClose={() => {
          setPlayedFrom(null)
          setSaidMs(null)
        }}
      />
      <div className="min-w-0 lg:col-start-1">
        <Waiting query={query} lines={6} label="Loading the transcript" />
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
  const kind = captionsWords(video.trackKind)
  const facts = [video.channelName, publishedOn(video), language, kind].filter(
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
  const reading = readingOf(shown, video.trackKind === 'asr')
  const isWhole = shown.length === segments.length
  const length = useMemo(
    () => (isWhole ? lengthWords(reading, video.languageCode) : ' '),
    [reading, isWhole, video],
  )
  const text = useRef<TextHandle>(null)
  const { find = '', ...time } = route.useSearch()
  const search = useSearchWithin(reading, find, text)
  const { matches, current, setCurrent: onCurrent } = search
  const { place, clicked } = useOpenAt({ reading, isWhole, time, matches, text, onCurrent, onSeek })
  const said = useSaid(reading, saidMs, text)
  const isUnsureShown = useKept(UNSURE_WORDS) === 'on'
  const isWanted = onSeek !== null || isUnsureShown
  const words = useWordTimes(reading, video, { isWhole, isWanted })
  const spoken = useSpokenWord(words, saidMs)
  const play = (ms: number) => {
    clicked.current = `t=${clock(ms)}`
    history.replaceState(history.state, '', `#${clicked.current}`)
    onSeek?.(ms)
  }
  const keys = useWordKeys(
    words === null || onSeek === null ? null : { words, spoken, text, onSeek: play },
  )
  const onWord = (paragraph: number, offset: number) => {
    const word = words && wordIn(words, paragraph, offset)
    play((word === null ? null : words?.startsMs[word]) ?? timeAt(reading, paragraph, offset))
  }
  return (
    <>
      <div className="-mt-4 mb-4 justify-between text-sm text-muted sm:flex">
        <p className="numbers min-h-6">{length}</p>
        <AboutCaptions video={video} />
      </div>
      <ReaderTools read={() => readingOf(segments)} video={video} job={job} />
      <SearchWithin
        typed={search.typed}
        onTyped={search.type}
        total={search.total}
        isWhole={isWhole}
        current={current}
        onGo={search.go}
      />
      <TranscriptText
        handle={text}
        reading={reading}
        video={video}
        matches={matches}
        current={current}
        said={said}
        place={place}
        onWord={onSeek === null ? null : onWord}
        words={words}
        spoken={spoken}
        keyed={keys.chosen}
        isUnsureShown={isUnsureShown}
        onKey={keys.onKey}
        onLeave={keys.onLeave}
      />
      <p role="status" className="sr-only">
        {words !== null && keys.chosen !== null && chosenWords(words, keys.chosen)}
      </p>
    </>
  )
}

/** Returns "river, 4:07". */
function chosenWords(words: WordTimes, word: number): string {
  const { paragraph, from, to } = placeOfWord(words, word)
  const text = words.reading.paragraphs[paragraph]?.text.slice(from, to) ?? ''
  return `${text}, ${clock(words.startsMs[word] ?? 0)}`
}
