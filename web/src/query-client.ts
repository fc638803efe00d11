/** The cache of answers, and the reaction to refusals. */
import { QueryCache, QueryClient } from '@tanstack/react-query'
import { onFailure } from './api/account.ts'
import { ApiError } from './api/problem.ts'
import { noteFailure, noteHeard } from './connection.ts'

const FRESH_MS = 5_000

/** Notes a failure. The first refusal shows that a session has ended: the page then asks to sign in. */
function takeFailure(error: unknown): void {
  noteFailure(error)
  if (error instanceof ApiError && error.status === 401)
    void queryClient.invalidateQueries({ queryKey: ['visit'] })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: takeFailure, onSuccess: noteHeard }),
  defaultOptions: {
    // The API's client does the retries.
    queries: { staleTime: FRESH_MS, retry: false },
  },
})

onFailure(takeFailure)
