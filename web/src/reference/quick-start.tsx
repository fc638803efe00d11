/** The three calls that everybody needs, before the rules of the reference. */
import { useQuery } from '@tanstack/react-query'
import { visitQuery } from '../api/queries.ts'
import { EXAMPLES, writtenFor } from '../parts/examples.ts'
import { CodeBlock } from './code-block.tsx'
import { TextLink } from '../parts/text-link.tsx'

export function QuickStart({ base }: { base: string }) {
  const { data: visit } = useQuery(visitQuery)
  return (
    <section id="quick-start" className="mb-12 max-w-[70ch] scroll-mt-6">
      <h2 className="mb-3 text-xl">Quick start</h2>
      <p className="mb-4 text-[0.9375rem]">
        Create a key on{' '}
        <TextLink to="/settings/$part" params={{ part: 'keys' }}>
          the account page
        </TextLink>
        , put it in <code className="font-mono text-sm">SCRIPTORIUM_API_KEY</code>, and make these
        calls. <TextLink to="/developers">The page for developers</TextLink> has them in JavaScript
        and Python, too, and the command line.
      </p>
      <div className="space-y-4">
        {EXAMPLES.map(({ title, code }) => (
          <CodeBlock
            key={title}
            title={title}
            text={writtenFor(code.curl, base, visit?.examples.channel)}
          />
        ))}
      </div>
    </section>
  )
}
