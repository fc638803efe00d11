/** The figures of a page of the console, each in a box with its name. */
export function Figures({ figures }: { figures: readonly (readonly [string, string])[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-4">
      {figures.map(([name, figure]) => (
        <div
          key={name}
          className="flex flex-col justify-between rounded-xl border border-line bg-surface px-4 py-3"
        >
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="numbers text-2xl">{figure}</dd>
        </div>
      ))}
    </dl>
  )
}
