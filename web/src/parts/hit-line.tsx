/** A transcript in which something is said: its best quote, and on demand each of its mentions. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AskedSearch, mentionsQuery, type SearchHit } from '../api/search.ts'
import { counted, dotted, languageName, publishedOn } from '../format.ts'
import { clock } from '../../../src/kit/text/clock.ts'
import { placeAddress } from '../place-links.ts'
import { Button } from './controls.tsx'
import { placeOf } from '../hit-place.ts'
import { QuoteText } from './quote-text.tsx'
import { QuoteTools } from './quote-tools.tsx'
import { Waiting } from './states.tsx'
import { TextLink } from './text-link.tsx'

const MENTIONS_STEP = 50
const MENTIONS_MAX = 200

export function HitLine({ hit, asked }: { hit: SearchHit; asked: AskedSearch }) {
  const [isOpen, setOpen] = useState(false)
  const { startMs } = hit
  const facts = [hit.channelName, publishedOn(hit), languageName(hit.languageCode)]
  return (
    <div className="min-w-0 flex-1">
      <div className="flex items-baseline justify-between gap-4">
        <TextLink {...placeOf(hit, asked)} className="min-w-0 truncate font-medium" dir="auto">
          {hit.title ?? hit.videoId}
        </TextLink>
        <a
          href={hit.url}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open the video at ${clock(startMs)}`}
          className="numbers shrink-0 py-0.5 text-sm text-muted"
        >
          {clock(startMs)}
        </a>
      </div>
      <p className="text-sm text-muted">{dotted(facts)}</p>
      <p className="mt-1.5 font-serif text-[1.0625rem]">
        <QuoteText hit={hit} />
      </p>
      <div className="mt-1 -ml-3 flex flex-wrap items-center gap-1">
        {hit.mentions > 1 && (
          <Button kind="quiet" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide mentions' : counted(hit.mentions, 'mention')}
          </Button>
        )}
        <QuoteTools
          video={hit}
          // The words around the first marked ones, which are said at the second of the hit.
          quote={{ words: hit.snippet.map(({ text }) => text).join(''), startMs, endMs: null }}
          address={placeAddress({ ...hit, endMs: null })}
        />
      </div>
      {isOpen && <VideoMentions hit={hit} asked={asked} />}
    </div>
  )
}

function VideoMentions({ hit, asked }: { hit: SearchHit; asked: AskedSearch }) {
  const [limit, setLimit] = useState(MENTIONS_STEP)
  const query = useQuery(mentionsQuery(asked, { video: hit.videoId, offset: 0, limit }))
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={2} label="Loading the mentions" />
  const mentions = data.mentions.filter(
    ({ jobId, index }) => jobId === hit.jobId && index === hit.index,
  )
  return (
    <>
      <ol aria-label="Mentions" className="mt-1 space-y-1 border-l-2 border-line pl-4">
        {mentions.map((mention, at) => (
          <li key={at} className="flex gap-3 text-[0.9375rem]">
            <TextLink
              {...placeOf(mention, asked)}
              aria-label={`Read at ${clock(mention.startMs)}`}
              className="numbers w-16 shrink-0 py-0.5 text-sm"
            >
              {clock(mention.startMs)}
            </TextLink>
            <QuoteText hit={mention} className="font-serif" />
          </li>
        ))}
      </ol>
      {data.nextOffset !== null &&
        (limit < MENTIONS_MAX ? (
          <Button size="small" className="mt-2" onClick={() => setLimit(MENTIONS_MAX)}>
            Show more
          </Button>
        ) : (
          <p className="mt-2 text-sm text-muted">
            These are the first {MENTIONS_MAX}; the reader and the CSV have all of them.
          </p>
        ))}
    </>
  )
}
