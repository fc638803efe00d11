/**
 * The captions that a video has where it has none in the language that was ordered: its tracks, or, for rows of earlier
 * releases, only their languages. Each language can be ordered.
 */
import { type Job, type JobVideo, jobs, type Track } from '../api/client.ts'
import { languageName, usd } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'
import { TrackLine } from './track-line.tsx'
import { useOpenOrder } from './use-open-order.ts'

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

/** A line for each track, with a button where an order in its language brings it: the creator's before automatic. */
export function TracksToOrder({
  row,
  job,
  tracks,
}: {
  row: JobVideo
  /** Undefined while it is read: the lines have room for the buttons. */
  job: Job | undefined
  tracks: Track[]
}) {
  const { url } = row
  const brought = tracks.map((track) => track === broughtIn(tracks, track.languageCode))
  return (
    <section aria-labelledby="tracks" className="mt-8">
      <h2 id="tracks" className="text-xl">
        Captions of this video
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {tracks.map((track, at) => (
          <li
            key={at}
            className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
          >
            <span className="text-[0.9375rem]">
              <TrackLine track={track} />
            </span>
            {brought[at] === true && url !== null && job !== undefined && (
              <OrderIn url={url} job={job} code={track.languageCode} />
            )}
          </li>
        ))}
      </ul>
      {brought.includes(false) && (
        <p className="mt-3 text-sm text-muted">
          An order brings one text in a language: where there are several, the creator’s.
        </p>
      )}
    </section>
  )
}

function broughtIn(tracks: Track[], code: string): Track | undefined {
  const inLanguage = tracks.filter(({ languageCode }) => languageCode === code)
  return inLanguage.find(({ kind }) => kind === 'manual') ?? inLanguage[0]
}

export function OrderInLanguages({
  row,
  job,
  codes,
}: {
  row: JobVideo
  job: Job
  codes: string[]
}) {
  const { url } = row
  if (url === null) return null
  return codes
    .slice(0, OFFERED_MAX)
    .map((code) => <OrderIn key={code} url={url} job={job} code={code} />)
}

function OrderIn({ url, job, code }: { url: string; job: Job; code: string }) {
  const { openJob } = useOpenOrder()
  const name = languageName(code)
  const price = usd(job.billing.pricePerTranscript)
  const order = async () => {
    const { formats } = job.input
    const request = { urls: [url], language: code, formats, maxVideos: 1 }
    await openJob(await jobs.startOrJoin(request, { owned: 'skip' })) // another order may have brought it
  }
  return (
    <Confirm
      title={`Order this video in ${name}?`}
      action={`Order it · ${price}`}
      trigger={`Order in ${name} · ${price}`}
      triggerLook={buttonLook('plain', 'small')}
      onConfirm={order}
    >
      <p>A new job fetches this one video. It is charged only if the transcript is delivered.</p>
    </Confirm>
  )
}
