/** A question before an order: what is new of it by now, and the most that it costs. All buttons that spend ask it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { JOB_VIDEOS_MAX, orderBatch } from '../api/batches.ts'
import { type JobRequest, jobs, type Preview } from '../api/client.ts'
import { jobPreviewQuery } from '../api/queries.ts'
import { count, counted, microsOf, usd } from '../format.ts'
import { costOf } from '../order-size.ts'
import { Confirm } from './confirm.tsx'

type QuestionProps = {
  /** The order; what the account owns by others is left out of it. */
  request: JobRequest
  title: string
  /** The button's words before the price, such as "Run again". */
  verb: string
  trigger: ReactNode
  triggerLook: string
  children?: ReactNode
}

export function OrderQuestion({
  request,
  title,
  verb,
  trigger,
  triggerLook,
  children,
}: QuestionProps) {
  const [isAsked, setAsked] = useState(false)
  const { maxVideos = JOB_VIDEOS_MAX } = request
  const isBatch = maxVideos > JOB_VIDEOS_MAX
  const { data: found, error } = useQuery({
    ...jobPreviewQuery(request, 'skip'),
    enabled: isAsked && !isBatch,
  })
  const client = useQueryClient()
  const navigate = useNavigate()
  const order = async () => {
    if (isBatch) return orderAll()
    const job = await jobs.startOrJoin(request, { previewId: found?.id, owned: 'skip' })
    client.setQueryData(['job', job.id], job)
    client.setQueryData(['started', job.id], job)
    void client.invalidateQueries({ queryKey: ['jobs'] })
    void client.invalidateQueries({ queryKey: ['funds'] })
    client.removeQueries({ queryKey: ['job-preview'] })
    await navigate({ to: '/jobs/$id', params: { id: job.id } })
  }
  const orderAll = async () => {
    const batch = await orderBatch(request, 'skip')
    client.setQueryData(['batch', batch.id], batch)
    void client.invalidateQueries({ queryKey: ['batches'] })
    await navigate({ to: '/batches/$id', params: { id: batch.id } })
  }
  const isReady = found?.state === 'ready' && !isBatch
  const most = isReady ? usd(found.costAtMost) : costOf(request.maxVideos)
  return (
    <Confirm
      title={title}
      action={`${verb} · at most ${most}`}
      onAsk={() => setAsked(true)}
      onConfirm={order}
      trigger={trigger}
      triggerLook={triggerLook}
    >
      <p role="status">
        {isReady
          ? foundWords(found)
          : isBatch
            ? `${count(maxVideos)} videos at most, as jobs one after another, also when this page is closed.`
            : error === null
              ? 'Checking what is new …'
              : 'What is new could not be checked.'}
      </p>
      {children}
    </Confirm>
  )
}

/** Returns "3 videos to fetch, at most $0.024. 45 are yours already, free." */
function foundWords({ wouldTake, costAtMost, unchanged }: Preview): string {
  const has =
    unchanged === 0
      ? ''
      : ` ${count(unchanged)} ${unchanged === 1 ? 'is' : 'are'} yours already, free.`
  if (wouldTake === 0 && microsOf(costAtMost) === 0n) return `Nothing new by now.${has}`
  return `${counted(wouldTake, 'video')} to fetch, at most ${usd(costAtMost)}.${has}`
}
