/**
 * The question before an order: what is new of it by now, and the most that it costs. All buttons that spend ask it.
 */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { JOB_LINES_MAX, JOB_VIDEOS_MAX, orderBatch } from '../api/batches.ts'
import { type JobRequest, jobs, type Preview, type WishedTrack } from '../api/client.ts'
import { jobPreviewQuery } from '../api/queries.ts'
import { count, counted, microsOf, usd } from '../format.ts'
import { promiseOf } from '../order-size.ts'
import { Confirm } from './confirm.tsx'
import { OwnedFrom } from './owned-from.tsx'
import { useOpenOrder } from './use-open-order.ts'

type QuestionProps = {
  /** The order; what the account owns by others is left out of it. */
  request: JobRequest
  track?: WishedTrack | undefined
  title: string
  /** The button's words before the price, such as "Run again". */
  verb: string
  trigger: ReactNode
  triggerLook: string
  children?: ReactNode
}

export function AskedOrder({
  request,
  track,
  title,
  verb,
  trigger,
  triggerLook,
  children,
}: QuestionProps) {
  const { maxVideos = JOB_VIDEOS_MAX } = request
  const isBatch = maxVideos > JOB_VIDEOS_MAX || request.urls.length > JOB_LINES_MAX
  const choices = { owned: 'skip', track } as const
  const { data: found, error } = useQuery({
    ...jobPreviewQuery(request, choices),
    enabled: !isBatch,
  })
  const { openJob, openBatch } = useOpenOrder()
  const isReady = found?.state === 'ready' && !isBatch
  const promise = promiseOf(request, isReady ? found : undefined)
  const order = async () => {
    if (isBatch) return openBatch(await orderBatch(promise.request, choices))
    return openJob(await jobs.startOrJoin(promise.request, { previewId: found?.id, ...choices }))
  }
  return (
    <Confirm
      isAskedAtOnce
      title={title}
      action={`${verb} · at most ${promise.price}`}
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
        {isReady && (
          <>
            {' '}
            <OwnedFrom sources={found.sources} />
          </>
        )}
      </p>
      {isReady && found.notices.map((notice) => <p key={notice}>{notice}</p>)}
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
