/**
 * A transcript to read: its paragraphs with times, a search that keeps its place, the video beside it in step with the
 * words, copies, citations and downloads.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Job, JobVideo, Segment } from '../api/client.ts'
import { jobQuery, segmentsQuery } from '../api/queries.ts'
import { dotted, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { firstOf, readingOf, timeAt, timeOfHash } from '../reading.ts'
import { UNSURE_WORDS, useKept } from '../kept-choice.ts'
import { placeOfWord, wordIn, type WordTimes } from '../word-times.ts'
import { AboutCaptions } from '../parts/about-captions.tsx'
import { BesideHeads } from '../parts/beside-heads.tsx'
import { PageHead } from '../parts/page-head.tsx'
import type { PlayerHandle } from '../parts/player.tsx'
import { lengthWords, ReaderTools } from '../parts/reader-tools.tsx'
import { ReaderWays } from '../parts/reader-ways.tsx'
import { SearchWithin } from '../parts/search-within.tsx'
import { Loading, Waiting } from '../parts/states.tsx'
import { type TextHandle, TranscriptText } from '../parts/transcript-text.tsx'
import { useBeside } from '../parts/use-beside.ts'
import { useOpenAt } from '../parts/use-open-at.ts'
import { useSaid } from '../parts/use-said.ts'
import { useSearchWithin } from '../parts/use-search-within.ts'
import { useSpokenWord, useWordKeys, useWordTimes } from '../parts/use-words.ts'
import { WatchBeside } from '../parts/watch-beside.tsx'

const route = getRouteApi('/member/jobs/$id/$index')

/** Lays out the columns: the text, and beside it the video, which is between head and text on a narrow screen. */
export function Reader({ video }: { video: JobVideo }) {
  const { jobId, index } = video
  const { t = 0, beside } = route.useSearch()
  const { data: job } = useQuery(jobQuery(jobId))
  const query = useQuery(segmentsQuery(jobId, index))
  const { data: segments } = query
  const [playedFromMs, setPlayedFrom] = useState<number | null>(null)
  const [saidMs, setSaidMs] = useState<number | null>(null)
  const player = useRef<PlayerHandle>(null)
  const seek = (ms: number) => player.current?.seek(ms)
  const play = () => setPlayedFrom(timeOfHash(location.hash.slice(1)) ?? t * 1000)
  const title = video.title ?? 'Transcript'
  return (
    <article className={`mx-auto max-w-2xl lg:max-w-none ${beside === undefined ? COLUMNS : ''}`}>
      <div className="min-w-0">
        <ReaderWays jobId={jobId} index={index} />
        <PageHead
          kind="thing"
          name={title}
          about={<About video={video} segments={segments} />}
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
        isFolded={beside !== undefined}
        onPlay={play}
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
            {...{ segments, video, job, saidMs }}
            onSeek={playedFromMs === null ? null : seek}
            onPlay={playedFromMs === null && video.videoId !== null ? play : null}
          />
        )}
      </div>
    </article>
  )
}

const COLUMNS =
  'lg:grid lg:grid-cols-[minmax(0,42rem)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-10'

/** Whose video it is and of when; its track, which can be switched, and its length once it is read. */
function About({ video, segments }: { video: JobVideo; segments: Segment[] | undefined }) {
  const whole = useDeferredValue(segments ?? null, null)
  const length = useMemo(() => {
    if (whole === null) return null
    return lengthWords(readingOf(whole, video.trackKind === 'asr'), video.languageCode)
  }, [whole, video])
  return (
    <div className="text-[0.9375rem]">
      <p className="min-h-6 truncate">
        <bdi>{dotted([video.channelName, publishedOn(video)])}</bdi>
      </p>
      <div className="flex min-h-6 gap-x-1.5">
        <AboutCaptions video={video} />
        {length !== null && (
          <p className="numbers min-w-0 truncate before:content-['·_']">
            <span className="max-sm:hidden">{length[0]}</span>
            {length[1]}
          </p>
        )}
      </div>
    </div>
  )
}

type Props = {
  segments: Segment[]
  video: JobVideo
  job: Job | undefined
  /** Position of the video in milliseconds; null where none plays. */
  saidMs: number | null
  onSeek: ((ms: number) => void) | null
  /** Opens the player; null where it is open, or there is none. */
  onPlay: (() => void) | null
}

function Transcript({ segments, video, job, saidMs, onSeek, onPlay }: Props) {
  // A text of eleven hours takes a phone a while to lay out: its beginning is drawn meanwhile.
  const [first] = useState(() => firstOf(segments))
  const shown = useDeferredValue(segments, first)
  const reading = readingOf(shown, video.trackKind === 'asr')
  const isWhole = shown.length === segments.length
  const text = useRef<TextHandle>(null)
  const { find = '', beside: address, ...time } = route.useSearch()
  const beside = useBeside(address, { video, reading, isWhole })
  const [isOpening, setOpening] = useState(address !== undefined)
  if (isOpening && beside !== 'loading') setOpening(false)
  const besideText = typeof beside === 'object' ? beside : null
  const search = useSearchWithin(reading, find, text)
  const { matches, match: current, setCurrent: onCurrent } = search
  const opening = { reading, isWhole: isWhole && !isOpening, time, matches, text }
  const { place, clicked } = useOpenAt({ ...opening, onCurrent, onSeek })
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
  const onWord = (paragraph: number, offset: number, isBeside: boolean) => {
    const { reading: clicked } = (isBeside ? besideText : null) ?? { reading }
    const word = isBeside || words === null ? null : wordIn(words, paragraph, offset)
    play(words?.startsMs[word ?? -1] ?? timeAt(clicked, paragraph, offset))
  }
  return (
    <>
      <ReaderTools
        {...{ video, job, onPlay }}
        read={() => readingOf(segments)}
        isNarrow={beside !== null}
      >
        <SearchWithin search={search} isWhole={isWhole} />
      </ReaderTools>
      {beside !== null && <BesideHeads video={video} beside={beside} />}
      {isOpening && <Loading lines={6} label="Loading both texts" />}
      {!isOpening && (
        <TranscriptText
          {...{ reading, video, matches, current, said, place, words, spoken, isUnsureShown }}
          handle={text}
          beside={besideText}
          onWord={onSeek === null ? null : onWord}
          {...keys}
        />
      )}
      <p role="status" className="sr-only">
        {words !== null && keys.keyed !== null && chosenWords(words, keys.keyed)}
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
