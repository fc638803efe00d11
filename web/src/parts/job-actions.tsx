/** What can be done with a job: download it, cancel it, run it again. */
import { useQueryClient } from '@tanstack/react-query'
import { fileLink } from '../api/account.ts'
import { isFinal, type Job, jobs } from '../api/client.ts'
import { AddToProject } from './add-to-project.tsx'
import { Confirm } from './confirm.tsx'
import { buttonLook } from './controls.tsx'
import { AllFiles, DownloadMenu } from './download-menu.tsx'
import { RepeatIcon, StopIcon } from './icons.tsx'
import { orderAgain } from '../order-fields.ts'
import { OrderQuestion } from './order-question.tsx'

export function Downloads({ job }: { job: Job }) {
  const name = isFinal(job) ? 'Everything as a ZIP' : 'Download what’s ready'
  const main = { href: fileLink(job.id, 'zip?names=title'), name }
  return (
    <div className="flex flex-wrap gap-2">
      <DownloadMenu main={main} isPart={!isFinal(job)} isAtEnd>
        <AllFiles link={(file) => fileLink(job.id, file)} query="names=title" />
      </DownloadMenu>
      {job.progress.delivered > 0 && isFinal(job) && (
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
  return (
    <OrderQuestion
      request={orderAgain(job.input)}
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
        New uploads come first, then the next older ones, up to the same limit. What you already
        have, from this order or any other, is free.
      </p>
    </OrderQuestion>
  )
}
