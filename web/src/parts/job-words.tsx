/** What a job was ordered with, and what it is called, changed in place, with the note about it. */
import { useQueryClient } from '@tanstack/react-query'
import { isFinal, type Job, jobs } from '../api/client.ts'
import { counted, jobTitle } from '../format.ts'
import { DeleteTexts } from './delete-texts.tsx'
import { WordsInPlace } from './words-in-place.tsx'

export function JobWords({ job }: { job: Job }) {
  const client = useQueryClient()
  const { name = null, note = null } = job
  return (
    <WordsInPlace
      action={note === null ? 'Rename or add a note' : 'Change the name or the note'}
      before={<OrderedLines urls={job.input.urls} />}
      after={
        isFinal(job) &&
        job.progress.delivered > 0 && (
          <DeleteTexts
            path={`/jobs/${job.id}/texts`}
            label="Delete its texts…"
            look="link min-h-6"
          />
        )
      }
      words={{
        label: 'Name and note',
        name,
        note,
        nameField: {
          placeholder: name === null ? jobTitle(job) : '',
          hint: 'Leave it empty to call the job by what it is about.',
        },
        save: async (field) => {
          const changed = await jobs.change(job.id, { name: field('name'), note: field('note') })
          client.setQueryData<Job>(['job', job.id], (known) => ({ ...known, ...changed }))
          void client.invalidateQueries({ queryKey: ['jobs'] })
        },
      }}
    />
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
