/** The highest cost of a job, and what the balance allows, before it starts. */
import type { Funds, SourcesPreview } from '../api/account.ts'
import { JOB_VIDEOS_MAX } from '../api/batches.ts'
import type { Preview } from '../api/client.ts'
import { count, counted, usd } from '../format.ts'
import { costOf, type Order, type OrderPromise, orderSize, priced } from '../order-size.ts'
import { TextLink } from './text-link.tsx'

function nothingYet(preview: SourcesPreview | undefined): string {
  return (preview?.links ?? 0) + (preview?.unclear ?? 0) === 0
    ? 'Nothing pasted yet.'
    : 'None of the lines can be used yet.'
}

/** `found` is what a job would take up; undefined while unknown. */
type CostProps = Order & {
  promise: OrderPromise
  found: Preview | undefined
  funds: Funds | undefined
}

export function CostBox({ promise, preview, found: previewed, funds, options }: CostProps) {
  const lines = preview?.links ?? 0
  const { most, isBatch } = orderSize({ preview, options })
  const found = priced({ preview, options }, previewed)
  const affordable = funds?.affordableTranscripts ?? 0
  const allowed = Math.min(most, affordable)
  const isShort =
    found === undefined ? allowed < most : affordable < most && found.wouldTake >= affordable
  return (
    <div className="min-h-44 rounded-2xl border border-line bg-surface p-5">
      <h2 className="font-sans text-sm font-medium tracking-normal text-muted">Costs at most</h2>
      <p className="numbers mt-1 font-serif text-[2rem] leading-tight">
        {lines === 0 ? usd('0') : promise.price}
      </p>
      {found?.state === 'ready' && lines > 0 && found.costExpected !== found.costAtMost && (
        <p className="mt-1 text-sm">
          Probably <span className="numbers font-medium">{usd(found.costExpected)}</span>.
        </p>
      )}
      <p className="mt-1 text-sm text-muted">
        {lines === 0
          ? nothingYet(preview)
          : `${counted(promise.videos, 'transcript')} at ${costOf(1)}; only delivered ones are charged.`}
      </p>
      {isBatch && (
        <p className="mt-3 text-sm">
          A batch: jobs of up to {count(JOB_VIDEOS_MAX)} videos run one after another under this
          price, also when this page is closed.
        </p>
      )}
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
                  {isBatch
                    ? `It stops there, before ${count(most)}, and can be continued. `
                    : `The job will take ${count(allowed)} of ${count(most)}. `}
                  <TextLink to="/billing">Top up</TextLink>
                </>
              )}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
