/** One row of a job by its index. */
import { useQuery } from '@tanstack/react-query'
import { answered, api, type Results, type Video } from '../api/client.ts'

/**
 * In a final job rows are in the order of their index, which may have gaps: the row stands at its
 * index or before it. While a job runs they are in the order of completion, so all are looked through.
 */
async function findVideo(id: string, index: number): Promise<Video | null> {
  const limit = 200
  const guess = Math.max(0, index - limit)
  for (const start of guess === 0 ? [0] : [guess, 0]) {
    for (let offset: number | null = start; offset !== null;) {
      const query: { offset: number; limit: number; view: 'rows' } = { offset, limit, view: 'rows' }
      const page: Results = await answered(
        api.GET('/jobs/{id}/results', { params: { path: { id }, query } }),
      )
      const found = page.videos.find((video) => video.index === index)
      if (found !== undefined) return found
      if (page.complete && start === guess && (page.videos[0]?.index ?? 0) > index) break
      offset = page.nextOffset
    }
  }
  return null
}

export function useVideo(id: string, index: number): Video | undefined {
  const { data } = useQuery({
    queryKey: ['video', id, index],
    queryFn: () => findVideo(id, index),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? undefined
}
