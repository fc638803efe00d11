/** The caption tracks of a video, where its text came from, and whether the times of its words are known. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { JobVideo } from '../api/client.ts'
import { jobQuery, otherTextsQuery } from '../api/queries.ts'
import { wordsQuery } from '../api/words.ts'
import { when } from '../format.ts'
import { UNSURE_WORDS, useKept } from '../kept-choice.ts'
import { CONFIDENCE_MIN, hasConfidences } from '../word-times.ts'
import { CopyButton } from './copy.tsx'
import { TracksToOrder } from './other-languages.tsx'
import { CheckBox } from './controls.tsx'

const HASH_SHOWN = 12
const KILOBYTE = 1024

export function CaptionFacts({ video }: { video: JobVideo }) {
  const { isPending } = useQuery(otherTextsQuery(video.jobId, video.index))
  const { data: job } = useQuery(jobQuery(video.jobId))
  if (isPending) return <p role="status">Loading …</p>
  return (
    <div className="space-y-4 text-sm leading-normal">
      <Fact name="Captions of this video">
        {video.tracks === null && <p>Not known: this text was fetched before they were kept.</p>}
        <TracksToOrder row={video} job={job} className="max-h-72 overflow-y-auto" />
      </Fact>
      <Fact name="Source">
        <Source video={video} />
      </Fact>
      <Fact name="Times of words">
        <WordFacts video={video} />
      </Fact>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-1 font-sans text-sm font-medium text-muted">{name}</h2>
      {children}
    </section>
  )
}

function Source({ video: { source } }: { video: JobVideo }) {
  if (source === null) return <p>Not known: this text was fetched before it was kept.</p>
  const { fetchedAt, format, sizeBytes, sha256 } = source
  return (
    <>
      <p>
        Fetched {when(fetchedAt)} as {format}, {Math.max(1, Math.round(sizeBytes / KILOBYTE))} KB.
      </p>
      <p className="flex flex-wrap items-center gap-2">
        <span>
          SHA-256 <code title={sha256}>{sha256.slice(0, HASH_SHOWN)}…</code>
        </span>
        <CopyButton kind="quiet" label="Copy the SHA-256" text={sha256} />
      </p>
    </>
  )
}

function WordFacts({ video }: { video: JobVideo }) {
  const { hasWordTimes, source, jobId, index } = video
  const { data: words, isError } = useQuery({ ...wordsQuery(jobId, index), enabled: hasWordTimes })
  if (source === null && !hasWordTimes)
    return <p>No times of words: this text was fetched before they were kept.</p>
  if (!hasWordTimes && video.trackKind === 'asr')
    return <p>None are kept: the platform published none, or this service keeps none.</p>
  if (!hasWordTimes) return <p>The platform published no times of words for this text.</p>
  return (
    <>
      <p>Kept. With the player open, the spoken word is marked.</p>
      <div className="min-h-16">
        {words !== undefined && <Unsure isKnown={hasConfidences(words)} />}
        {isError && <p>They could not be loaded.</p>}
      </div>
    </>
  )
}

function Unsure({ isKnown }: { isKnown: boolean }) {
  const isOn = useKept(UNSURE_WORDS) === 'on'
  if (!isKnown) return <p>The platform does not say how sure it is of the words.</p>
  return (
    <>
      <CheckBox
        checked={isOn}
        onChange={({ target }) => UNSURE_WORDS.keep(target.checked ? 'on' : 'off')}
        aria-describedby="unsure-words"
      >
        Underline unsure words
      </CheckBox>
      <p id="unsure-words" className="text-muted">
        Words of which the speech recognition is less than {CONFIDENCE_MIN * 100} % sure.
      </p>
    </>
  )
}
