/** Cells and figures of the console. */
import { TextLink } from '../../parts/text-link.tsx'

/** A name of the API, such as "add_credit", in words. */
export function Named({ name }: { name: string }) {
  return <span className="inline-block first-letter:uppercase">{name.replaceAll('_', ' ')}</span>
}

/** What an act brought: a report, such as the doctor's, keeps its lines and is folded behind the first one. */
export function Detail({ text }: { text: string | null }) {
  const [first, ...lines] = text?.trim().split('\n') ?? []
  const look = 'min-w-40 max-w-md text-sm wrap-anywhere'
  if (lines.length === 0) return <p className={look}>{first}</p>
  return (
    <details className={look}>
      <summary className="cursor-pointer">{first}</summary>
      <pre className="mt-1 font-sans whitespace-pre-wrap">{lines.join('\n')}</pre>
    </details>
  )
}

/** A link to one account of the console. */
export function AccountLink({ id, email }: { id: string; email: string }) {
  return (
    <div className="max-w-72 min-w-40 wrap-anywhere">
      <TextLink to="/operator/$part" params={{ part: 'accounts' }} search={{ id }}>
        {email}
      </TextLink>
    </div>
  )
}

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
