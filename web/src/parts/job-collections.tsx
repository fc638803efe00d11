/** The library's collections with a job's videos, and whether there is more to come. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isFinal, type Job } from '../api/client.ts'
import { jobCollectionsQuery } from '../api/queries.ts'
import { count } from '../format.ts'

/** The library is asked once the job has recorded something. */
export function JobCollections({ job }: { job: Job }) {
  const version = isFinal(job) ? 'final' : 'open'
  const { data } = useQuery({
    ...jobCollectionsQuery(job.id, version),
    enabled: job.progress.processed > 0 || isFinal(job),
  })
  // One line of space is kept until the collections are known, so that the part below does not jump.
  if (data === undefined) return <div className="mt-5 h-12" />
  if (data.collections.length === 0) return null
  return (
    <section aria-label="In the library" className="mt-5 rounded-xl bg-accent-soft px-4 py-3">
      <ul className="space-y-1 text-[0.9375rem]">
        {data.collections.map(({ id, title, delivered, remaining }) => (
          <li key={id}>
            <Link to="/library/$id" params={{ id }} className="link" dir="auto">
              {title ?? id}
            </Link>
            <span className="numbers">
              {': '}
              {count(delivered)} in the library
              {isFinal(job) && remaining !== null && remaining > 0
                ? `, ${count(remaining)} more to fetch`
                : ''}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
