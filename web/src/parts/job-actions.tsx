/** What can be done with a job: download it, cancel it, run it again. */
import { JOB_VIDEOS_MAX } from '../api/batches.ts'
import { fileLink } from '../api/account.ts'
import { isFinal, type Job } from '../api/client.ts'
import { count } from '../format.ts'
import { AddToProject } from './add-to-project.tsx'
import { askedPart } from './asked-part.tsx'
import { buttonLook } from './controls.tsx'
import { ALL_TEXTS, AllFiles, DownloadMenu, NAMED_ZIP, zipsOf } from './download-menu.tsx'
import { RepeatIcon, StopIcon } from './icons.tsx'
import { orderAgain } from '../order-fields.ts'
import { OrderQuestion } from './order-question.tsx'

export function Downloads({ job }: { job: Job }) {
  const { progress, deletedTexts = 0 } = job
  const delivered = progress.delivered - deletedTexts
  const earlier = progress.counts['unchanged'] ?? 0
  const link = (file: string) => fileLink(job.id, file)
  // Nobody counts which of the earlier texts are deleted.
  const all = deletedTexts > 0 && earlier > 0 ? null : delivered + earlier
  const zips = zipsOf(link, { fresh: delivered, all })
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

const CancelQuestion = askedPart(async () => (await import('./cancel-question.tsx')).CancelQuestion)

export function CancelJob({ job }: { job: Job }) {
  if (job.state === 'cancelling') return null
  return (
    <CancelQuestion
      id={job.id}
      triggerLook={buttonLook('danger', 'small')}
      trigger={
        <>
          <StopIcon /> Cancel
        </>
      }
    />
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
