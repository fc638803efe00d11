/** A row of a job: its transcript, or why it has none. What shows either is loaded once that is known. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { isMissing } from '../api/problem.ts'
import { jobVideoQuery } from '../api/queries.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import { Loading, Waiting } from '../parts/states.tsx'
import { NotFoundPage } from './not-found.tsx'

const route = getRouteApi('/member/jobs/$id/$index')
const LOADING = { lines: 6, label: 'Loading the transcript' }
const Reader = lazyPart(async () => (await import('./reader.tsx')).Reader)
const Undelivered = lazyPart(async () => (await import('./undelivered.tsx')).UndeliveredPage)

export function RowPage() {
  const params = route.useParams()
  const index = Number(params.index)
  const query = useQuery(jobVideoQuery(params.id, index))
  const { data: video, error } = query
  if (isMissing(error)) return <NotFoundPage />
  if (video === undefined) return <Waiting query={query} {...LOADING} />
  const { text: place } = video
  if (place !== null && (place.jobId !== params.id || place.index !== index))
    return (
      <Navigate
        to="/jobs/$id/$index"
        params={{ id: place.jobId, index: String(place.index) }}
        search
        hash
        replace
      />
    )
  return (
    <Suspense fallback={<Loading {...LOADING} />}>
      {place === null ? (
        <Undelivered row={video} />
      ) : (
        <Reader key={`${params.id} ${index}`} video={video} />
      )}
    </Suspense>
  )
}
