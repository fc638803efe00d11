/**
 * The captions that a video has beside the text that was read, or where it has none in the language that was ordered:
 * its tracks, or, for rows of earlier releases, only their languages. Each can be opened or, where the account does not
 * have it, ordered.
 */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OtherTexts } from '../api/account.ts'
import type { Job, JobVideo, Track } from '../api/client.ts'
import { otherTextsQuery } from '../api/queries.ts'
import { languageName, usd } from '../format.ts'
import { trackWords } from '../words.ts'
import { buttonLook } from './controls.tsx'
import { OrderQuestion } from './order-question.tsx'
import { TrackLine } from './track-line.tsx'

/** Number of languages that are offered; a video may have captions in a hundred. */
const OFFERED_MAX = 6

/** Returns the languages that a row names; none where it names none. */
export function otherLanguages({ status, errorMessage }: JobVideo): string[] {
  if (status !== 'language_not_available') return []
  const [, codes = ''] =
    /captions exist in:? ([\w-]{1,20}(?:, [\w-]{1,20}){0,200})/i.exec(errorMessage ?? '') ?? []
  return codes === '' ? [] : codes.split(', ')
}

/** Returns "Captions exist in English and French." */
export function languagesSentence(codes: string[]): string {
  const names = codes.map(languageName)
  return `Captions exist in ${new Intl.ListFormat('en').format(names)}.`
}

/** Returns the tracks of a row that was not delivered for its language; none for rows of earlier releases. */
export function otherTracks({ status, tracks }: JobVideo): Track[] {
  return status === 'language_not_available' ? (tracks ?? []) : []
}

/** A line for each track, which opens or orders it: of several in one language and kind, one can be ordered. */
export function TracksToOrder({
  row,
  job,
  className = '',
}: {
  row: JobVideo
  /** Undefined while it is read: the lines have room for the buttons. */
  job: Job | undefined
  className?: string
}) {
  const { data: texts } = useQuery(otherTextsQuery(row.jobId, row.index))
  const tracks = [...(row.tracks ?? []), ...untold(row, texts ?? [])]
  const firstOf = (code: string | null, made: string | null) =>
    tracks.find(({ languageCode, kind }) => languageCode === code && kind === made)
  const read = firstOf(row.languageCode, row.trackKind)
  const brought = tracks.filter((one) => one === firstOf(one.languageCode, one.kind))
  return (
    <>
      <ul
        aria-label="Captions of this video"
        className={`divide-y divide-line border-y border-line ${className}`}
      >
        {tracks.map((track, at) => (
          <li
            key={at}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <span>
              <TrackLine track={track} />
              {track === read && <span className="text-accent"> · this text ✓</span>}
            </span>
            {track !== read && brought.includes(track) && job !== undefined && texts && (
              <Offer {...{ row, job, track }} owned={texts.find((text) => isOf(text, track))} />
            )}
          </li>
        ))}
      </ul>
      {brought.length < tracks.length && (
        <p className="mt-3 text-sm text-muted">
          Of several in one language and of one kind, an order brings one.
        </p>
      )}
    </>
  )
}

type OwnText = OtherTexts['texts'][number]

/** Returns the tracks of owned texts that the video is not known to have. */
function untold({ tracks }: JobVideo, texts: OwnText[]): Track[] {
  return texts.flatMap((text) => {
    const { languageCode, trackKind: kind } = text
    const isKnown = kind === null || tracks?.some((track) => isOf(text, track))
    return isKnown
      ? []
      : [{ languageCode, kind, name: null, isDefault: false, isTranslatable: false }]
  })
}

function isOf({ languageCode, trackKind }: OwnText, track: Track): boolean {
  return languageCode === track.languageCode && trackKind === track.kind
}

type OfferProps = { row: JobVideo; job: Job; track: Track; owned: OwnText | undefined }

/** What the account has is opened, or read beside; the others are ordered. */
function Offer({ row, job, track, owned }: OfferProps) {
  const { languageCode: code, kind } = track
  if (owned === undefined) return <OrderIn row={row} job={job} code={code} kind={kind} />
  const address = { id: owned.jobId, index: String(owned.index) }
  const look = buttonLook('plain', 'small')
  const name = trackWords(owned)
  return (
    <div className="flex gap-2">
      <Link to="/jobs/$id/$index" params={address} aria-label={`Open ${name}`} className={look}>
        Open
      </Link>
      {row.text !== null && (
        <Link
          to="/jobs/$id/$index"
          params={{ id: row.jobId, index: String(row.index) }}
          search={(place: object) => ({ ...place, beside: `${address.id}.${address.index}` })}
          hash
          resetScroll={false}
          aria-label={`Beside this one: ${name}`}
          className={look}
        >
          Beside this one
        </Link>
      )}
    </div>
  )
}

type InLanguages = { row: JobVideo; job: Job; codes: string[] }

export function OrderInLanguages({ codes, ...order }: InLanguages) {
  return codes.slice(0, OFFERED_MAX).map((code) => <OrderIn key={code} {...order} code={code} />)
}

type OrderInProps = { row: JobVideo; job: Job; code: string; kind?: Track['kind'] }

/** Orders a text of the video; `kind` is that of the track in whose line the button stands. */
function OrderIn({ row: { url }, job, code, kind }: OrderInProps) {
  if (url === null) return null
  const name = `in ${languageName(code)}${kind === 'asr' ? ', automatic' : ''}`
  // A line that was delivered once brings nothing more, whatever it is ordered in: each text has a line of its own.
  const line = `${url}#captions=${kind === undefined ? code : `${code}.${kind}`}`
  return (
    <OrderQuestion
      request={{ urls: [line], language: code, formats: job.input.formats, maxVideos: 1 }}
      track={kind}
      title={`Order this video ${name}?`}
      verb="Order it"
      triggerLook={buttonLook('plain', 'small')}
      trigger={
        <span>
          Order <span className={kind && 'sr-only'}>{name}</span> ·{' '}
          {usd(job.billing.pricePerTranscript)}
        </span>
      }
    >
      <p>A new job fetches this one video. It is charged only if the transcript is delivered.</p>
    </OrderQuestion>
  )
}
