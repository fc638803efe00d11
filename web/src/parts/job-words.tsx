/** What a job was ordered with, and what it is called, changed in place, with the note about it. */
import { lazy, Suspense, useRef, useState } from 'react'
import type { Job } from '../api/client.ts'
import { loadPart } from '../connection.ts'
import { counted } from '../format.ts'
import { Loading } from './states.tsx'

/** The form is loaded when it is asked for: most jobs are never renamed. */
const WordsForm = lazy(async () => {
  const { JobWordsForm } = await loadPart(
    () => import('./job-words-form.tsx'),
    () => true,
  )
  return { default: JobWordsForm }
})

export function JobWords({ job }: { job: Job }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen) {
    return (
      <Suspense fallback={<Loading lines={3} label="Loading the form" />}>
        <WordsForm job={job} onEnd={close} />
      </Suspense>
    )
  }
  return (
    <div className="-mt-5 mb-6">
      {job.note != null && (
        <p dir="auto" className="mb-1 max-w-[68ch] wrap-anywhere whitespace-pre-line">
          {job.note}
        </p>
      )}
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-muted">
        <OrderedLines urls={job.input.urls} />
        <button ref={opener} type="button" className="link min-h-6" onClick={() => setOpen(true)}>
          {job.note == null ? 'Rename or add a note' : 'Change the name or the note'}
        </button>
      </div>
    </div>
  )
}

function OrderedLines({ urls }: { urls: string[] }) {
  return (
    <details>
      <summary className="min-h-6">{counted(urls.length, 'line')} ordered</summary>
      <ul className="mt-2 mb-1 space-y-0.5">
        {urls.map((url) => (
          <li key={url} dir="auto" className="wrap-anywhere">
            {url}
          </li>
        ))}
      </ul>
    </details>
  )
}
