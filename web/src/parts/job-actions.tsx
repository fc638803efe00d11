/** What can be done with a job: download it, cancel it, run it again. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fileLink } from '../api/account.ts'
import { type Job, jobs } from '../api/client.ts'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'
import { DownloadIcon, RepeatIcon, StopIcon } from './icons.tsx'

const FILES = [
  { file: 'zip?names=title', name: 'Everything as a ZIP', isMain: true },
  { file: 'all.txt', name: 'All texts in one', isMain: false },
  { file: 'report.csv', name: 'Report as CSV', isMain: false },
]

export function Downloads({ job }: { job: Job }) {
  return (
    <section aria-label="Downloads" className="mt-6 flex flex-wrap gap-2">
      {FILES.map(({ file, name, isMain }) => (
        <a
          key={file}
          href={fileLink(job.id, file)}
          download
          className={buttonLook(isMain ? 'primary' : 'plain', 'small')}
        >
          <DownloadIcon /> {name}
        </a>
      ))}
    </section>
  )
}

export function CancelJob({ job }: { job: Job }) {
  const client = useQueryClient()
  if (job.state === 'cancelling') return null
  const cancel = async () => {
    const now = await jobs.cancel(job.id)
    client.setQueryData(['job', job.id], now)
  }
  return (
    <Confirm
      title="Cancel this job?"
      action="Cancel the job"
      isDangerous
      onConfirm={cancel}
      triggerLook={buttonLook('danger', 'small')}
      trigger={
        <>
          <StopIcon /> Cancel
        </>
      }
    >
      <p>
        What was delivered so far is charged and stays readable. The rest of the reserve is
        released.
      </p>
    </Confirm>
  )
}

export function RunAgain({ job }: { job: Job }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { input } = job
  const run = async () => {
    const body = {
      urls: input.urls,
      language: input.language,
      formats: input.formats,
      maxVideos: input.requestedMaxVideos,
      ...(input.publishedAfter === null ? {} : { publishedAfter: input.publishedAfter }),
      ...(input.publishedBefore === null ? {} : { publishedBefore: input.publishedBefore }),
    }
    const next = await jobs.start(body)
    client.setQueryData(['job', next.id], next)
    client.setQueryData(['notices', next.id], next.notices ?? [])
    void client.invalidateQueries({ queryKey: ['jobs'] })
    await navigate({ to: '/jobs/$id', params: { id: next.id } })
  }
  return (
    <Confirm
      title="Run it again?"
      action="Run again"
      onConfirm={run}
      triggerLook={buttonLook('plain', 'small')}
      trigger={
        <>
          <RepeatIcon /> Run again
        </>
      }
    >
      <p>The new job continues where your earlier jobs with these lines stopped:</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>videos that you already have are listed as “delivered before”, without charge;</li>
        <li>new uploads come first, then the next older ones, up to the same limit;</li>
        <li>only newly delivered transcripts are charged.</li>
      </ul>
    </Confirm>
  )
}
