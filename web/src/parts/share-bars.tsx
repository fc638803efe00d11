/** A line of small bars: the share of one answer in each of the last hours, beside the highest share. */

/** `label` names the hour. `share` is from 0 to 1; null where nothing was answered. */
type HourShare = { label: string; share: number | null }

/**
 * Shows bars as high as their part of the highest, so that rare answers are seen too. The words have all the numbers.
 */
export function ShareBars({ name, hours }: { name: string; hours: HourShare[] }) {
  const answered = hours.flatMap(({ label, share }) => (share === null ? [] : [{ label, share }]))
  const most = Math.max(0, ...answered.map(({ share }) => share))
  const words = answered.map(({ label, share }) => `${label} ${percent(share)}`)
  return (
    <span className="flex items-center gap-3">
      <span
        role="img"
        aria-label={`${name} by hour: ${words.join(', ')}`}
        className="flex h-7 w-36 shrink-0 items-end gap-px border-b border-line"
      >
        {hours.map(({ label, share }) => (
          <span
            key={label}
            title={`${label}: ${share === null ? 'no answers' : percent(share)}`}
            className="flex h-full min-w-px flex-1 items-end"
          >
            {share !== null && share > 0 && (
              <span
                style={{ height: `${Math.max(6, (100 * share) / most)}%` }}
                className="w-full bg-accent"
              />
            )}
          </span>
        ))}
      </span>
      <span className="text-sm whitespace-nowrap text-muted">at most {percent(most)}</span>
    </span>
  )
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}
