/** The library's collections with a job's videos, as a quiet line, and whether there is more to come. */
import { useQuery } from '@tanstack/react-query'
import { isFinal, type Job } from '../api/client.ts'
import { jobCollectionsQuery } from '../api/queries.ts'
import { count, counted } from '../format.ts'
import { FollowLink } from './follow-here.tsx'
import { TextLink } from './text-link.tsx'

/** The library is asked once the job has recorded something. */
export function JobCollections({ job }: { job: Job }) {
  const version = isFinal(job) ? 'final' : 'open'
  const { data } = useQuery({
    ...jobCollectionsQuery(job.id, version),
    enabled: job.progress.processed > 0 || isFinal(job),
  })
  // One line of space is kept until the collections are known, so that the part below does not jump.
  if (data === undefined) return <p className="min-h-6" />
  if (data.collections.length === 0) return null
  const isOnly = isFinal(job) && data.collections.length === 1
  return (
    <section aria-label="In the library">
      <p>
        In your library:{' '}
        {data.collections.map((collection, at) => {
          const { id, title, delivered, remaining, lastLookedAt } = collection
          return (
            <span key={id} className="numbers">
              {at > 0 && ', '}
              <TextLink to="/library/$id" params={{ id }} dir="auto">
                {title ?? id}
              </TextLink>
              {/* What is counted there stands still until the job ends, and would contradict the bar. */}
              {isFinal(job) && ` (${countWords(delivered, remaining)})`}
              {isOnly && lastLookedAt !== null && <FollowLink collection={collection} />}
            </span>
          )
        })}
      </p>
    </section>
  )
}

function countWords(delivered: number, remaining: number | null): string {
  return remaining === null || remaining === 0
    ? count(delivered)
    : `${counted(delivered, 'transcript')}, ${count(remaining)} more to fetch`
}
