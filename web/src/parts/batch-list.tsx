/** Batches above the list of jobs: those that run or can be continued. */
import { Link } from '@tanstack/react-router'
import type { BatchSummary } from '../api/batches.ts'
import { count, counted } from '../format.ts'

const TAGS: Record<BatchSummary['state'], { word: string; look: string }> = {
  running: { word: 'Running', look: 'bg-accent text-on-accent' },
  finished: { word: 'Finished', look: 'bg-accent-soft text-accent-strong' },
  stopped: { word: 'Stopped', look: 'bg-warn-soft text-warn' },
}

export function BatchTag({ state }: { state: BatchSummary['state'] }) {
  const { word, look } = TAGS[state]
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap ${look}`}
    >
      {word}
    </span>
  )
}

/** Returns "622 transcripts, part 2 of 5". */
export function batchWords({ progress, part, parts, state }: BatchSummary): string {
  const delivered = counted(progress.delivered, 'transcript')
  const isPart = parts > 1 && state !== 'finished'
  return isPart ? `${delivered}, part ${count(part)} of ${count(parts)}` : delivered
}

export function BatchList({ batches }: { batches: readonly BatchSummary[] }) {
  return (
    <section aria-labelledby="batches" className="mb-8">
      <h2 id="batches" className="mb-2 font-sans text-sm font-medium tracking-normal text-muted">
        Batches
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {batches.map((batch) => (
          <li
            key={batch.id}
            className="group relative flex flex-wrap items-baseline gap-x-4 gap-y-1 py-3"
          >
            <Link
              to="/batches/$id"
              params={{ id: batch.id }}
              className="row-link min-w-0 truncate font-medium underline decoration-transparent underline-offset-4 group-hover:text-accent"
              dir="auto"
            >
              {batch.title}
            </Link>
            <span className="numbers text-sm text-muted">{batchWords(batch)}</span>
            <span className="ml-auto">
              <BatchTag state={batch.state} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
