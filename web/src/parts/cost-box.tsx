/** The highest cost of a job, and what the balance allows, before it starts. */
import { Link } from '@tanstack/react-router'
import type { Funds, SourcesPreview } from '../api/account.ts'
import type { Preview } from '../api/client.ts'
import { count, counted, microsOf, usd, usdOfMicros } from '../format.ts'

const VIDEOS_MAX = 500

type Estimated = { preview: SourcesPreview | undefined; maxVideos: string }

/** Returns the most videos that the job can take up: its limit, or fewer where all lines are single videos. */
export function mostVideos({ preview, maxVideos }: Estimated): number {
  const limit = /^\d+$/.test(maxVideos)
    ? Math.min(Math.max(Number(maxVideos), 1), VIDEOS_MAX)
    : VIDEOS_MAX
  const lines = preview?.lines.filter(({ kind }) => kind !== null) ?? []
  const named = lines.filter(({ kind }) => kind === 'video').length
  return lines.length > 0 && named === lines.length ? Math.min(named, limit) : limit
}

function nothingYet(preview: SourcesPreview | undefined): string {
  return (preview?.lines.length ?? 0) === 0
    ? 'Nothing pasted yet.'
    : 'None of the lines can be used yet.'
}

/** `found` is what a job would take up; undefined while unknown. */
export function CostBox({
  preview,
  found,
  funds,
  maxVideos,
}: Estimated & { found: Preview | undefined; funds: Funds | undefined }) {
  const lines = preview?.lines.filter(({ kind }) => kind !== null).length ?? 0
  const most = mostVideos({ preview, maxVideos })
  const affordable = funds?.affordableTranscripts ?? 0
  const price = microsOf(funds?.pricePerTranscript ?? '0.008')
  const allowed = Math.min(most, affordable)
  const isShort =
    found === undefined ? allowed < most : affordable < most && found.wouldTake >= affordable
  return (
    <div className="min-h-44 rounded-2xl border border-line bg-surface p-5">
      <h2 className="font-sans text-sm font-medium tracking-normal text-muted">Costs at most</h2>
      <p className="numbers mt-1 font-serif text-[2rem] leading-tight">
        {lines === 0
          ? '$0.00'
          : found === undefined
            ? usdOfMicros(price * BigInt(most))
            : usd(found.costAtMost)}
      </p>
      {found?.state === 'ready' && lines > 0 && found.costExpected !== found.costAtMost && (
        <p className="mt-1 text-sm">
          Probably <span className="numbers font-medium">{usd(found.costExpected)}</span>.
        </p>
      )}
      <p className="mt-1 text-sm text-muted">
        {lines === 0
          ? nothingYet(preview)
          : `${counted(found?.state === 'ready' ? found.wouldTake : most, 'transcript')} at ${usd(funds?.pricePerTranscript ?? '0.008')}; only delivered ones are charged.`}
      </p>
      {funds !== undefined && (
        <p className="mt-4 border-t border-line pt-3 text-sm">
          Your balance of <span className="numbers font-medium">{usd(funds.available)}</span> allows{' '}
          {counted(affordable, 'transcript')}.
          {lines > 0 && isShort && (
            <span className="mt-1.5 block font-medium text-warn">
              {allowed === 0 ? (
                'That does not cover one transcript.'
              ) : (
                <>
                  The job will take {count(allowed)} of {count(most)}.{' '}
                  <Link to="/billing" className="link">
                    Top up
                  </Link>
                </>
              )}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
