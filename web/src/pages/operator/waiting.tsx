/** A page of the console whose answer is still loading, or has failed. */
import { Failed, Loading } from '../../parts/states.tsx'

export function Waiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error === null ? <Loading lines={4} /> : <Failed error={error} onRetry={onRetry} />
}
