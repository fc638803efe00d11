/** What a page shows while something loads, when there is nothing, and when it failed. */
import type { ReactNode } from 'react'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { Button } from './controls.tsx'
import { TextLink } from './text-link.tsx'

/** Quiet bars in place of what is loading; they keep the page's height. */
export function Loading({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }) {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">{label}…</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="h-14 animate-pulse rounded-xl bg-line" />
      ))}
    </div>
  )
}

export function SignedOut() {
  const next = location.pathname + location.search + location.hash
  return (
    <div role="alert" className="rounded-xl bg-danger-soft px-5 py-4">
      <p className="font-semibold">You are signed out.</p>
      <p className="mt-1 text-[0.9375rem]">
        <TextLink to="/sign-in" search={{ next }}>
          Sign in
        </TextLink>{' '}
        to continue here.
      </p>
    </div>
  )
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error instanceof ApiError && error.status === 401) return <SignedOut />
  return (
    <div role="alert" className="rounded-xl bg-danger-soft px-5 py-4">
      <p className="font-semibold">This could not be loaded.</p>
      <p className="mt-1 text-[0.9375rem]">{sentenceOf(error)}</p>
      {onRetry !== undefined && (
        <Button size="small" className="mt-3" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

export type WaitingProps = {
  query: { data: unknown; error: unknown; refetch: () => Promise<unknown> }
  lines: number
  label?: string
}

/** Stands in the place of an answer until it is there; where it could not be loaded, it says why. */
export function Waiting({ query: { data, error, refetch }, ...loading }: WaitingProps) {
  if (data !== undefined) return null
  if (error === null) return <Loading {...loading} />
  return <Failed error={error} onRetry={() => void refetch()} />
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-2xl border border-dashed border-line px-6 py-12 text-center">
      <p className="font-serif text-lg">{title}</p>
      {children !== undefined && (
        <div className="mx-auto mt-2 max-w-[48ch] text-[0.9375rem] text-muted">{children}</div>
      )}
    </div>
  )
}
