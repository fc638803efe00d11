/** What the account has of a channel or playlist, what is missing, and the one button that goes on. */
import { type Collection, type CollectionDetail } from '../api/client.ts'
import { BATCH_VIDEOS_MAX, JOB_VIDEOS_MAX } from '../api/batches.ts'
import { count, counted } from '../format.ts'
import { buttonLook } from './controls.tsx'
import { RepeatIcon } from './icons.tsx'
import { costOf } from '../order-size.ts'
import { OrderQuestion } from './order-question.tsx'
import { statusShade } from './progress.tsx'
import { statusWords } from '../words.ts'
import { Dot } from './list-row.tsx'

/** Shows "1,084 of 1,200 transcripts, 103 without captions, 700 more to fetch"; its button concerns this list only. */
export function GoOn({ collection }: { collection: CollectionDetail }) {
  const { goesOn, remaining } = collection
  const isOver = remaining === 0
  const maxVideos = Math.min(
    remaining === null || isOver ? JOB_VIDEOS_MAX : remaining,
    JOB_VIDEOS_MAX,
  )
  const verb =
    isOver || remaining === null ? 'Look for new videos' : `Fetch the ${nextWords(remaining)}`
  const isLong = remaining !== null && remaining > JOB_VIDEOS_MAX
  return (
    <section aria-label="What is there" className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="numbers text-lg">{collectionWords(collection)}</p>
        {goesOn !== null && (
          <div className="flex flex-wrap gap-2">
            {isLong && (
              <Fetch
                collection={collection}
                goesOn={goesOn}
                maxVideos={Math.min(remaining, BATCH_VIDEOS_MAX)}
                verb={`Fetch all ${count(Math.min(remaining, BATCH_VIDEOS_MAX))}`}
                isMain={false}
              />
            )}
            <Fetch
              collection={collection}
              goesOn={goesOn}
              maxVideos={maxVideos}
              verb={verb}
              isMain={!isOver}
            />
          </div>
        )}
      </div>
      <WhyMissing counts={collection.counts} />
    </section>
  )
}

type FetchProps = {
  collection: CollectionDetail
  goesOn: NonNullable<CollectionDetail['goesOn']>
  maxVideos: number
  verb: string
  isMain: boolean
}

/** Orders what is next of this list alone; the button names the highest price, unless it only looks for what is new. */
function Fetch({ collection, goesOn, maxVideos, verb, isMain }: FetchProps) {
  const { remaining } = collection
  const isLook = remaining === 0 || remaining === null
  return (
    <OrderQuestion
      request={{
        urls: [goesOn.line],
        language: goesOn.language,
        formats: goesOn.formats,
        maxVideos,
      }}
      title={isLook ? 'Look for new videos?' : 'Fetch more?'}
      verb={isLook ? 'Fetch what is new' : 'Fetch them'}
      triggerLook={buttonLook(isMain ? 'primary' : 'plain')}
      trigger={
        <>
          <RepeatIcon /> {verb}
          {remaining !== 0 && ` · at most ${costOf(maxVideos)}`}
        </>
      }
    >
      <p>Only this {collection.kind} is checked, and what you already have is free.</p>
    </OrderQuestion>
  )
}

function nextWords(left: number): string {
  return left > JOB_VIDEOS_MAX ? `next ${count(JOB_VIDEOS_MAX)}` : `remaining ${count(left)}`
}

function WhyMissing({ counts }: { counts: Record<string, number> }) {
  const missing = Object.entries(counts).filter(([status]) => status !== 'success')
  if (missing.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm text-muted">
      {missing.map(([status, videos]) => (
        <li key={status} className="numbers">
          <Dot shade={statusShade(status)} />
          {statusWords(status)} {count(videos)}
        </li>
      ))}
    </ul>
  )
}

/** Returns "1,084 of 1,200 transcripts, 103 without captions, 13 more to fetch". */
export function collectionWords(collection: Collection): string {
  const { delivered, known, noCaptions, failed, remaining } = collection
  const parts = [
    remaining === null || collection.kind === 'project'
      ? counted(delivered, 'transcript')
      : `${count(delivered)} of ${counted(known, 'transcript')}`,
    noCaptions === 0 ? '' : `${count(noCaptions)} without captions`,
    failed === 0 ? '' : `${count(failed)} not available`,
    remaining === null || remaining === 0 ? '' : `${count(remaining)} more to fetch`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}
