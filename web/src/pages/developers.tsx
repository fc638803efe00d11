/** The API in three languages, with the reader's own base address. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { visitQuery } from '../api/queries.ts'
import { AgentLinks } from '../parts/agent-links.tsx'
import { ExampleBlock } from '../parts/code-block.tsx'
import { CodeSection } from '../parts/code-section.tsx'
import { CommandLine } from '../parts/command-line.tsx'
import { buttonLook } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { EXAMPLES } from '../parts/examples.ts'
import { PAGE_NAMES } from '../words.ts'
import { TextLink } from '../parts/text-link.tsx'

export function DevelopersPage() {
  const { data: visit } = useQuery(visitQuery)
  return (
    <>
      <PageHead
        title="The API"
        name={PAGE_NAMES.api}
        about={
          <>
            Programs can do everything this website does. Base address:{' '}
            <code className="font-mono text-sm wrap-anywhere text-ink">{visit?.apiBase}</code>. Your
            server can be notified when a job ends: <TextLink to="/webhooks">webhooks</TextLink>.
          </>
        }
      >
        <Link to="/docs" className={buttonLook()}>
          API reference
        </Link>
        <Link to="/settings/$part" params={{ part: 'keys' }} className={buttonLook('primary')}>
          Create an API key
        </Link>
      </PageHead>
      {EXAMPLES.map((example) => (
        <CodeSection key={example.title} title={example.title} about={example.about}>
          <ExampleBlock {...example} />
        </CodeSection>
      ))}
      <AgentLinks url={new URL('/mcp', visit?.apiBase ?? window.location.origin).href} />
      <CommandLine />
    </>
  )
}
