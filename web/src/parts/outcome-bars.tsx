/** Small charts of the outcomes of videos, by hour or by day, with the sums in words. */
import { counted } from '../format.ts'

type Outcomes = { delivered: number; answered: number; blocked: number; failed: number }
export type OutcomeBar = Outcomes & { label: string }

const KINDS = [
  { of: 'delivered', word: 'delivered', look: 'bg-accent' },
  { of: 'answered', word: 'without captions, private or gone', look: 'bg-control' },
  { of: 'blocked', word: 'blocked', look: 'bg-warn' },
  { of: 'failed', word: 'failed', look: 'bg-danger' },
] as const

/** `name` says what the chart is about, for readers who do not see it. */
export function OutcomeBars({ name, bars }: { name: string; bars: OutcomeBar[] }) {
  const most = Math.max(1, ...bars.map(sumOf))
  const sums = KINDS.map((kind) => ({
    ...kind,
    sum: bars.reduce((sum, bar) => sum + bar[kind.of], 0),
  }))
  const whole = Math.max(
    1,
    sums.reduce((sum, kind) => sum + kind.sum, 0),
  )
  return (
    <figure>
      <div
        role="img"
        aria-label={`${name}: ${sums.map(({ word, sum }) => `${sum} ${word}`).join(', ')}`}
        className="flex h-28 items-end gap-px border-b border-line"
      >
        {bars.map((bar) => (
          <span
            key={bar.label}
            title={`${bar.label}: ${KINDS.map(({ of, word }) => `${bar[of]} ${word}`).join(', ')}`}
            className="flex h-full min-w-px flex-1 flex-col-reverse"
          >
            {KINDS.filter(({ of }) => bar[of] > 0).map(({ of, look }) => (
              <span
                key={of}
                style={{ height: `${Math.max(1, (100 * bar[of]) / most)}%` }}
                className={look}
              />
            ))}
          </span>
        ))}
      </div>
      <div className="mt-1 flex justify-between text-sm text-muted">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <figcaption className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {sums.map(({ of, word, look, sum }) => (
          <span key={of} className="flex items-center gap-2">
            <span className={`inline-block size-3 rounded-sm ${look}`} />
            {counted(sum, 'video')} {word} ({Math.round((100 * sum) / whole)} %)
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function sumOf({ delivered, answered, blocked, failed }: Outcomes): number {
  return delivered + answered + blocked + failed
}
