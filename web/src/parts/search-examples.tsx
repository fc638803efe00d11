/** What can be searched for, by examples: what the search page shows before anything is asked. */
import { TextLink } from './text-link.tsx'

const EXAMPLES: [q: string, finds: string][] = [
  ['engine bridge', 'transcripts with both words, anywhere'],
  ['"steam engine"', 'the words one after the other'],
  ['engine OR bridge', 'one of the two, or both'],
  ['(engine OR bridge) -"toy train"', 'one of the two, and not the toy train'],
  ['bridg*', 'words that begin so: bridge, bridges, bridging'],
]

export function SearchExamples() {
  return (
    <section aria-label="Examples" className="rounded-2xl border border-dashed border-line p-6">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
        {EXAMPLES.map(([q, finds]) => (
          <div key={q} className="contents">
            <dt>
              <TextLink to="/search" search={{ q }} className="inline-block py-1 font-mono text-sm">
                {q}
              </TextLink>
            </dt>
            <dd className="mb-2 py-1 text-[0.9375rem] text-muted sm:mb-0">{finds}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-muted">
        Upper and lower case and accents make no difference. OR is written in capitals.
      </p>
    </section>
  )
}
