/** What a job was ordered with, and what it is called, changed in place, with the note about it. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { type Job, jobs } from '../api/client.ts'
import { counted, jobTitle } from '../format.ts'
import { Button, Field, TextArea } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'

const NAME_CHARS_MAX = 120
const NOTE_CHARS_MAX = 2_000

export function JobWords({ job }: { job: Job }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen) return <WordsForm job={job} onEnd={close} />
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

function WordsForm({ job, onEnd }: { job: Job; onEnd: () => void }) {
  const client = useQueryClient()
  const work = useFormWork()
  const [name, setName] = useState(job.name ?? '')
  const [note, setNote] = useState(job.note ?? '')
  const save = () =>
    void work.run(async () => {
      const changed = await jobs.change(job.id, { name, note })
      client.setQueryData<Job>(['job', job.id], (known) => ({ ...known, ...changed }))
      void client.invalidateQueries({ queryKey: ['jobs'] })
      onEnd()
    })
  return (
    <form
      aria-label="Name and note"
      className="-mt-3 mb-8 max-w-xl space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={NAME_CHARS_MAX}
        placeholder={job.name == null ? jobTitle(job) : ''}
        hint="Leave it empty to call the job by what it is about."
        autoFocus
      />
      <TextArea
        label="Note"
        value={note}
        onChange={({ target }) => setNote(target.value)}
        maxLength={NOTE_CHARS_MAX}
        rows={3}
      />
      <FormError error={work.error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" isBusy={work.isBusy}>
          Save
        </Button>
        <Button size="small" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
