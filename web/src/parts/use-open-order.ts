/** Opens the page of an order that was taken, with what the service answered. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Batch } from '../api/batches.ts'
import type { StartedJob } from '../api/client.ts'

export function useOpenOrder() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const keep = (answer: StartedJob | Batch, names: string[]) => {
    for (const name of names) client.setQueryData([name, answer.id], answer)
    for (const name of ['jobs', 'funds']) void client.invalidateQueries({ queryKey: [name] })
    client.removeQueries({ queryKey: ['job-preview'] })
  }
  const openJob = async (job: StartedJob) => {
    keep(job, ['job', 'started'])
    await navigate({ to: '/jobs/$id', params: { id: job.id } })
  }
  const openBatch = async (batch: Batch) => {
    keep(batch, ['batch'])
    await navigate({ to: '/batches/$id', params: { id: batch.id } })
  }
  return { openJob, openBatch }
}
