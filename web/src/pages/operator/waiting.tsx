/** A page of the console whose answer is not there yet, or never came. */
import { Failed, Loading } from '../../parts/states.tsx'

export function Waiting({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return error === null ? <Loading lines={4} /> : <Failed error={error} onRetry={onRetry} />
}
