/** Says that the server does not answer, since when, and that the page tries again; then the page goes on by itself. */
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { connection, onConnection } from '../connection.ts'
import { counted } from '../format.ts'
import { Button, Notice } from './controls.tsx'

const SECOND_MS = 1_000
const BELOW = 'fixed inset-x-4 bottom-4 z-30 mx-auto max-w-xl shadow-card print:hidden'

/** The notice on every page while no request at all is answered. */
export function LostConnection() {
  const { isLost, heardAtMs } = useSyncExternalStore(onConnection, connection)
  const client = useQueryClient()
  const router = useRouter()
  const wasLost = useRef(false)
  useEffect(() => {
    if (wasLost.current && !isLost) {
      void client.invalidateQueries()
      void router.invalidate()
    }
    wasLost.current = isLost
  }, [client, router, isLost])
  if (!isLost) return null
  return (
    <div className={BELOW}>
      <NotConnected heardAtMs={heardAtMs} />
    </div>
  )
}

/** Stands in the place of a part that could not be loaded on a page where something was typed. */
export function PartMissing() {
  return (
    <div className={BELOW}>
      <Notice tone="warn">
        A part of this page could not be loaded. What you typed stays until you load the page again.{' '}
        <Button size="small" onClick={() => location.reload()}>
          Load again
        </Button>
      </Notice>
    </div>
  )
}

/** The notice on a job's page while only its events are lost. */
export function LostEvents({ heardAtMs }: { heardAtMs: number }) {
  const { isLost } = useSyncExternalStore(onConnection, connection)
  return isLost ? null : <NotConnected heardAtMs={heardAtMs} />
}

/**
 * Shows "Not connected, last update 12 s ago, trying again…"; it is announced once, and the seconds count for the eyes
 * only.
 */
function NotConnected({ heardAtMs }: { heardAtMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Notice tone="warn">
      Not connected, <span aria-hidden="true">last update {agoWords(nowMs - heardAtMs)}, </span>
      trying again…
    </Notice>
  )
}

function agoWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND_MS))
  return seconds < 120 ? `${seconds} s ago` : `${counted(Math.floor(seconds / 60), 'minute')} ago`
}
