/** Follows a job while its page is visible: state and rows as they come, over one connection. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { sleep } from '../../../clients/typescript/src/retry.ts'
import type { Job } from '../api/client.ts'
import { readEvents } from '../api/events.ts'
import { ApiError } from '../api/problem.ts'
import { type Live, NOTHING_YET, takeEvents } from '../live.ts'

/**
 * Pause after a connection that ended in order, in milliseconds, as the server asks; it doubles with each failed
 * connection.
 */
const RETRY_MS = 2_000
const RETRY_MAX_MS = 15_000

export type LiveJob = Live & {
  /** True while the rest is arriving, or will arrive when the connection is restored. */
  isFollowed: boolean
  /** True where the connection broke or cannot be made; it is tried again. */
  isLost: boolean
  /** Instant of the last event, by this page's clock. */
  heardAtMs: number
}

/**
 * Follows a job that is open when the page opens, to its end, since rows may come after its final state. Rows stay
 * known when the page is left: a return goes on after them.
 */
export function useLiveJob(id: string, isOpen: boolean): LiveJob {
  const client = useQueryClient()
  const [isLost, setIsLost] = useState(false)
  const heardAtMs = useRef(Date.now())
  const isVisible = useVisible()
  const { data: live = NOTHING_YET } = useQuery({
    queryKey: ['live', id],
    queryFn: () => NOTHING_YET,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false, // there are thousands of rows, and they never change
  })
  const [wasOpen] = useState(isOpen)
  const isFollowed = !live.isAll && (wasOpen || live.told > 0)
  useEffect(() => {
    if (!isFollowed || !isVisible) return
    const leaving = new AbortController()
    const onHeard = () => (heardAtMs.current = Date.now())
    void follow({ id, client, signal: leaving.signal, setIsLost, onHeard })
    return () => leaving.abort()
  }, [id, client, isFollowed, isVisible])
  return {
    ...live,
    isFollowed,
    isLost: isLost && isFollowed,
    heardAtMs: heardAtMs.current,
  }
}

type Following = {
  id: string
  client: QueryClient
  signal: AbortSignal
  setIsLost: (isLost: boolean) => void
  onHeard: () => void
}

/** Connects until everything was received, or the page is left. */
async function follow({ id, client, signal, setIsLost, onHeard }: Following): Promise<void> {
  let failures = 0
  const liveNow = (): Live => client.getQueryData<Live>(['live', id]) ?? NOTHING_YET
  while (!signal.aborted) {
    try {
      const isOver = await readEvents(id, {
        told: liveNow().told,
        signal,
        onEvents(events) {
          failures = 0
          onHeard()
          setIsLost(false)
          if (signal.aborted || events.length === 0) return
          const { live, job } = takeEvents(liveNow(), events)
          client.setQueryData(['live', id], live)
          if (job !== null) client.setQueryData<Job>(['job', id], job)
        },
      })
      if (isOver) return await settle(id, client)
    } catch (error) {
      if (signal.aborted) return
      setIsLost(true)
      failures += 1
      if (error instanceof ApiError && [401, 404].includes(error.status))
        return void client.invalidateQueries({
          queryKey: error.status === 401 ? ['visit'] : ['job', id],
        })
    }
    const pauseMs = Math.min(RETRY_MS * 2 ** Math.max(0, failures - 1), RETRY_MAX_MS)
    await sleep(pauseMs, signal).catch(() => undefined) // the page was left
  }
}

/** A 204 alone may mark the end: then the final job is read. */
async function settle(id: string, client: QueryClient): Promise<void> {
  const live = client.getQueryData<Live>(['live', id]) ?? NOTHING_YET
  if (live.isAll) return
  await client.invalidateQueries({ queryKey: ['job', id] })
  const { live: whole } = takeEvents(live, [{ event: 'end', id: '', data: '' }])
  client.setQueryData(['live', id], whole)
}

/**
 * Returns whether the page is visible. In the background it holds no connection, since browsers allow only six to a
 * server.
 */
function useVisible(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      document.addEventListener('visibilitychange', onChange)
      return () => document.removeEventListener('visibilitychange', onChange)
    },
    () => document.visibilityState === 'visible',
  )
}
