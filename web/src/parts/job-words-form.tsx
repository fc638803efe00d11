/** The form that changes what a job is called, and the note about it. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Job, jobs } from '../api/client.ts'
import { jobTitle } from '../format.ts'
import { Button, Field, TextArea } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'

const NAME_CHARS_MAX = 120
const NOTE_CHARS_MAX = 2_000

export function JobWordsForm({ job, onEnd }: { job: Job; onEnd: () => void }) {
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
