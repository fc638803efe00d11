/** The words of a text with their times: a hundred thousand in a long one, so they are read where they are shown. */
import { queryOptions } from '@tanstack/react-query'
import { publicApi, type Words } from './client.ts'

export const wordsQuery = (jobId: string, index: number) =>
  queryOptions({
    queryKey: ['words', jobId, index],
    queryFn: async ({ signal }) => {
      const path = `/jobs/${jobId}/videos/${index}/words.json`
      return (await publicApi.json<Words>({ method: 'GET', path, signal })).words
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false, // they never change
  })
