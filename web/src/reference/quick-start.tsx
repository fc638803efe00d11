/** The three calls that everybody needs, before the rules of the reference. */
import { Link } from '@tanstack/react-router'
import { EXAMPLES } from '../parts/examples.ts'
import { CodeBlock } from './code-block.tsx'

export function QuickStart({ base }: { base: string }) {
  return (
    <section id="quick-start" className="mb-12 max-w-[70ch] scroll-mt-6">
      <h2 className="mb-3 text-xl">Quick start</h2>
      <p className="mb-4 text-[0.9375rem]">
        Create a key on{' '}
        <Link to="/settings/$part" params={{ part: 'keys' }} className="link">
          the account page
        </Link>
        , put it in <code className="font-mono text-sm">SCRIPTORIUM_API_KEY</code>, and make these
        calls.{' '}
        <Link to="/developers" className="link">
          The page for developers
        </Link>{' '}
        has them in JavaScript and Python, too, and the command line.
      </p>
      <div className="space-y-4">
        {EXAMPLES.map(({ title, code }) => (
          <CodeBlock key={title} title={title} text={code.curl.replaceAll('BASE', base)} />
        ))}
      </div>
    </section>
  )
}
