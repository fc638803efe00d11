/** Cells of the console. */

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
