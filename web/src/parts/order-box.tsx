/** What an order costs at most, what the account has of it already, and the button that starts it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SourcesPreview } from '../api/account.ts'
import type { Preview } from '../api/client.ts'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { fundsQuery } from '../api/queries.ts'
import { count, counted } from '../format.ts'
import { limitedTo, type Options } from '../order-fields.ts'
import { type OrderPromise, orderSize, videosBeyond } from '../order-size.ts'
import { Button, buttonLook, Notice } from './controls.tsx'
import { CostBox } from './cost-box.tsx'
import { OwnedVideos } from './owned-videos.tsx'
import { TextLink } from './text-link.tsx'

type OrderProps = {
  promise: OrderPromise
  preview: SourcesPreview | undefined
  /** Whether `preview` is of an earlier text. */
  isStale: boolean
  found: Preview | undefined
  options: Options
  onChange: (part: Partial<Options>) => void
  problem: unknown
  isBusy: boolean
  isEmpty: boolean
}

/** Shows the highest price, and the button that starts the job or batch; on a phone the button is always in view. */
export function OrderBox({ promise, preview, isStale, found, options, ...order }: OrderProps) {
  const { onChange, problem, isBusy, isEmpty } = order
  const hasLines = (preview?.links ?? 0) > 0
  const { data: funds } = useQuery(fundsQuery)
  return (
    <aside className="space-y-4 max-lg:pb-24 lg:sticky lg:top-8 lg:self-start">
      <div aria-busy={isStale} className={`space-y-4 ${isStale ? 'opacity-50' : ''}`}>
        <CostBox
          promise={promise}
          preview={preview}
          found={found}
          funds={funds}
          options={options}
        />
        <MoreToTake found={found} options={options} onChange={onChange} />
        <OwnedVideos
          found={found}
          named={preview?.owned?.videos ?? 0}
          owned={options.owned}
          onOwned={(next) => onChange({ owned: next })}
        />
      </div>
      <Refusal problem={problem} />
      <div className={ALWAYS_IN_VIEW}>
        {funds?.affordableTranscripts === 0 ? (
          <Link to="/billing" className={`w-full ${buttonLook('primary')}`}>
            Add credit to start
          </Link>
        ) : (
          <Button
            type="submit"
            kind="primary"
            isBusy={isBusy}
            disabled={isEmpty}
            className="w-full"
          >
            {orderSize({ preview, options }).isBatch ? 'Start the batch' : 'Start the job'}
            {hasLines && ` · at most ${promise.price}`}
          </Button>
        )}
      </div>
    </aside>
  )
}

/** On a phone a bar at its lower edge. */
const ALWAYS_IN_VIEW = `flex items-center gap-4 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-10
  max-lg:border-t max-lg:border-line max-lg:bg-surface max-lg:px-4 max-lg:py-3`

type MoreProps = Pick<OrderProps, 'found' | 'options' | 'onChange'>

/** Offers to take all that the lists hold, where that is more than the limit. */
function MoreToTake({ found, options, onChange }: MoreProps) {
  const left = found?.state === 'ready' ? videosBeyond(options, found) : null
  if (left === null) return null
  return (
    <div className="rounded-2xl border border-line bg-surface p-5 text-sm">
      <p className="mb-3">These lists hold about {counted(left, 'video')} that you do not have.</p>
      <Button size="small" onClick={() => onChange(limitedTo(left))}>
        Take all {count(left)}
      </Button>
    </div>
  )
}

/** Shows a refusal that is about no field, and where to go from here. */
function Refusal({ problem }: { problem: unknown }) {
  return (
    <div aria-live="assertive">
      {problem !== null && (
        <Notice tone="danger">
          <p>{sentenceOf(problem)}</p>
          <WayOut problem={problem} />
        </Notice>
      )}
    </div>
  )
}

function WayOut({ problem }: { problem: unknown }) {
  if (!(problem instanceof ApiError)) return null
  if (problem.jobId !== null)
    return (
      <TextLink to="/jobs/$id" params={{ id: problem.jobId }}>
        Open the running job
      </TextLink>
    )
  if (problem.code === 'insufficient_balance')
    return <TextLink to="/billing">Top up the balance</TextLink>
  return null
}
