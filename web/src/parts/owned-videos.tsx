/** What of an order the account has already, and what becomes of it. Nothing is shown where it has nothing. */
import type { OwnedChoice, Preview } from '../api/client.ts'
import { counted, usd } from '../format.ts'
import { costOf } from '../order-size.ts'

type Props = {
  /** What the order would fetch; undefined while unknown. */
  found: Preview | undefined
  /** How many videos of a long list of lines the account has; a preview counts those of a job. */
  named: number
  owned: OwnedChoice
  onOwned: (owned: OwnedChoice) => void
}

const CHOICES = [
  { value: 'skip', name: 'Only what is new' },
  { value: 'again', name: 'As a new order' },
] as const

export function OwnedVideos({ found, named, owned, onOwned }: Props) {
  const hasSome =
    named > 0 || (found?.sources.some((source) => source.owned > source.delivered) ?? false)
  if (!hasSome && owned === 'skip') return null
  return (
    <fieldset className="rounded-2xl border border-line bg-surface p-5">
      <legend className="sr-only">What you already have</legend>
      <p aria-hidden="true" className="mb-2 text-sm font-medium">
        {hasSome ? 'Your library has some of these, from other orders' : 'What you already have'}
      </p>
      {CHOICES.map(({ value, name }) => (
        <label key={value} className="flex min-h-9 cursor-pointer items-start gap-2.5 py-1">
          <input
            type="radio"
            name="owned"
            value={value}
            checked={owned === value}
            onChange={() => onOwned(value)}
            className="mt-1 size-4.5 shrink-0 accent-accent"
          />
          <span>
            {name}
            <span className="block text-sm text-muted">{aboutOf(value, { found, named })}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function aboutOf(value: OwnedChoice, { found, named }: Pick<Props, 'found' | 'named'>): string {
  if (value === 'skip') {
    if (named > 0)
      return `${counted(named, 'video')} of yours ${named === 1 ? 'is' : 'are'} left out, free.`
    return 'What you have stays free and opens from here.'
  }
  const again = Number(found?.costAgain ?? 0)
  if (again > 0)
    return `They are fetched and charged again: ${usd(found?.costAgain ?? '0')} of the price above.`
  const owned =
    found?.sources.reduce((sum, source) => sum + Math.max(0, source.owned - source.delivered), 0) ??
    0
  const most = Math.max(named, owned)
  return `They are fetched and charged again${most === 0 ? '' : `, for up to ${costOf(most)}`}.`
}
