/** Says which job of which batch a job is. */
import { TextLink } from './text-link.tsx'

type Named = { id: string; title: string; number: number }

export function OfBatch({ batch }: { batch: Named | null | undefined }) {
  if (batch == null) return null
  return (
    <span className="text-sm text-muted">
      Job {batch.number} of the batch{' '}
      <TextLink to="/batches/$id" params={{ id: batch.id }} className="wrap-anywhere" dir="auto">
        {batch.title}
      </TextLink>
    </span>
  )
}
