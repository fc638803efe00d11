/** What a job was ordered with, and what it is called, changed in place, with the note about it. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isFinal, type Job, jobs } from '../api/client.ts'
import { counted, jobTitle } from '../format.ts'
import { DeleteTexts } from './delete-texts.tsx'
import type { WordsToChange } from './words-form.tsx'
import { WordsFields } from './words-in-place.tsx'

export function JobWords({ job }: { job: Job }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { id, note = null, input, progress } = job
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen)
    return (
      <div className="-mt-4 mb-8">
        <JobForm job={job} onEnd={close} />
      </div>
    )
  return (
    <div className="-mt-5 mb-6">
      {note !== null && (
        <p dir="auto" className="mb-1 max-w-[68ch] wrap-anywhere whitespace-pre-line">
          {note}
        </p>
      )}
      <div className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm text-muted">
        <button ref={opener} type="button" className="link min-h-6" onClick={() => setOpen(true)}>
          {note === null ? 'Rename or add a note' : 'Change the name or the note'}
        </button>
        {isFinal(job) && progress.delivered > 0 && (
          <DeleteTexts
            path={`/jobs/${id}/texts`}
            trigger="Delete its texts…"
            triggerLook="link min-h-6"
          />
        )}
        <OrderedLines urls={input.urls} />
      </div>
    </div>
  )
}

function JobForm({ job, onEnd }: { job: Job; onEnd: () => void }) {
  const client = useQueryClient()
  const { id, name = null, note = null } = job
  const words: WordsToChange = {
    label: 'Name and note',
    name,
    note,
    nameField: {
      placeholder: name === null ? jobTitle(job) : '',
      hint: 'Leave it empty to call the job by what it is about.',
    },
    save: async (field) => {
      const changed = await jobs.change(id, { name: field('name'), note: field('note') })
      client.setQueryData<Job>(['job', id], (known) => ({ ...known, ...changed }))
      void client.invalidateQueries({ queryKey: ['jobs'] })
    },
  }
  return <WordsFields words={words} onEnd={onEnd} />
}

function OrderedLines({ urls }: { urls: string[] }) {
  return (
    // Its lines take what is left beside the others, which stay where they are when it unfolds.
    <details className="flex-1 basis-40">
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
