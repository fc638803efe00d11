/** What can be done with a job: download it, cancel it, run it again. */
import { useQueryClient } from '@tanstack/react-query'
import { JOB_VIDEOS_MAX } from '../api/batches.ts'
import { fileLink } from '../api/account.ts'
import { isFinal, type Job, jobs } from '../api/client.ts'
import { count } from '../format.ts'
import { AddToProject } from './add-to-project.tsx'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'
import { ALL_TEXTS, AllFiles, DownloadMenu, NAMED_ZIP, zipsOf } from './download-menu.tsx'
import { RepeatIcon, StopIcon } from './icons.tsx'
import { orderAgain } from '../order-fields.ts'
import { OrderQuestion } from './order-question.tsx'

export function Downloads({ job }: { job: Job }) {
  const { delivered, counts } = job.progress
  const earlier = counts['unchanged'] ?? 0
  const link = (file: string) => fileLink(job.id, file)
  const zips = zipsOf(link, { fresh: delivered, all: delivered + earlier })
  const ready = { name: 'Download what’s ready', href: link(NAMED_ZIP) }
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadMenu zips={isFinal(job) ? zips : [ready]} isPart={!isFinal(job)} isAtEnd>
        <AllFiles link={link} query={earlier > 0 ? `names=title&${ALL_TEXTS}` : 'names=title'} />
      </DownloadMenu>
      {delivered > 0 && isFinal(job) && (
        <AddToProject what={{ job: job.id }} label="Add to a project" />
      )}
    </div>
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
  // Its limit may be all that there was to fetch then.
  return (
    <OrderQuestion
      request={{ ...orderAgain(job.input), maxVideos: JOB_VIDEOS_MAX }}
      track={job.track}
      title="Run it again?"
      verb="Run again"
      triggerLook={buttonLook('plain', 'small')}
      trigger={
        <>
          <RepeatIcon /> Run again
        </>
      }
    >
      <p>
        New uploads come first, then the next older ones, up to {count(JOB_VIDEOS_MAX)} videos. What
        you already have, from this order or any other, is free.
      </p>
    </OrderQuestion>
  )
}
