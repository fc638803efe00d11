/** Where answers are kept, and when a question is asked again. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiProblem } from './api/problem.ts'

const RETRIES_MAX = 2
const FRESH_MS = 5_000

/** What the server said no to stays no; what did not arrive is asked again. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  const isRefusal = error instanceof ApiProblem && error.status < 500 && error.status !== 429
  return failures < RETRIES_MAX && !isRefusal
}

/** A session that has ended is noticed by the first refusal: the page then asks to sign in. */
function noticeSignOut(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401)
    void queryClient.invalidateQueries({ queryKey: ['visit'] })
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: { queries: { staleTime: FRESH_MS, retry: isWorthRepeating } },
})
