/** The narrow pages around signing in: one column, one form. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { Notice } from './controls.tsx'
import { PageHead } from './page-head.tsx'

export function Entrance({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mx-auto max-w-sm pt-2 sm:pt-8">
      <PageHead name={title} about={about} />
      {children}
    </div>
  )
}

export type FormWork = {
  isBusy: boolean
  error: string | null
  /** Status of the refusal; 0 where there was none. */
  status: number
  run(work: () => Promise<unknown>): Promise<boolean>
}

/** Runs what a form does, and keeps the refusal. */
export function useFormWork(): FormWork {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  const status = error instanceof ApiError ? error.status : 0
  return { isBusy, error: error === null ? null : sentenceOf(error), status, run }
}

/** Returns the fields of a form by name, as texts. */
export function fieldsOf(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => String(data.get(name) ?? '')
}

/** The place of a form's refusal: always in the page, so that it is announced. */
export function FormError({ error }: { error: string | null }) {
  return <div aria-live="assertive">{error !== null && <Notice tone="danger">{error}</Notice>}</div>
}
