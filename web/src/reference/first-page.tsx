/** The first page of the reference: three calls to start with, the groups, what holds for all calls, and errors. */
import { Link } from '@tanstack/react-router'
import { version as RELEASE } from '../../package.json'
import { ExampleBlock } from '../parts/code-block.tsx'
import { EXAMPLES } from '../parts/examples.ts'
import { PageHead } from '../parts/page-head.tsx'
import { TextLink } from '../parts/text-link.tsx'
import { Markdown } from './markdown.tsx'
import { BESIDE, PartSection } from './part-section.tsx'
import type { ReadReference, ReferenceChapter } from './parts.ts'
import type { ShownWith } from './try-it.tsx'

type Props = { reference: ReadReference; shown: ShownWith }

export function FirstPage({ reference: { version, chapters }, shown }: Props) {
  const first = chapters.filter(({ group }) => group === '')
  return (
    <div className="min-w-0">
      <PageHead
        name="API reference"
        about={
          <>
            Version {version} of the interface, release {RELEASE} of Scriptorium; for programs as{' '}
            <a href="/api/v1/openapi.json" className="link">
              OpenAPI document
            </a>{' '}
            and{' '}
            <a href="/docs.md" className="link">
              Markdown
            </a>
            .
          </>
        }
      />
      <div className={BESIDE.row}>
        <div className="max-w-[68ch] min-w-0 space-y-10">
          <section aria-labelledby="quick-start">
            <h2 id="quick-start" className="mb-3 text-xl">
              Quick start
            </h2>
            <p className="text-[0.9375rem] text-muted">
              Create a key on{' '}
              <TextLink to="/settings/$part" params={{ part: 'keys' }}>
                the account page
              </TextLink>
              , put it in <code className="font-mono text-sm text-ink">SCRIPTORIUM_API_KEY</code>,
              and make these calls. <TextLink to="/developers">The API page</TextLink> has the
              command line and agents, too.
            </p>
          </section>
          <Groups chapters={chapters.filter(({ group }) => group !== '')} />
          {first
            .filter(({ parts }) => parts.length === 0)
            .map((chapter) => (
              <Chapter key={chapter.title} chapter={chapter} shown={shown} />
            ))}
        </div>
        <div className={BESIDE.code}>
          {EXAMPLES.map((example) => (
            <div key={example.title}>
              <h3 className="mb-2 font-sans text-sm font-medium tracking-normal">
                {example.title}
              </h3>
              <ExampleBlock {...example} />
            </div>
          ))}
        </div>
      </div>
      {first
        .filter(({ parts }) => parts.length > 0)
        .map((chapter) => (
          <div key={chapter.title} className="mt-12 border-t border-line pt-8">
            <Chapter chapter={chapter} shown={shown} />
          </div>
        ))}
    </div>
  )
}

/** What stands on this page under a title of its own. */
function Chapter({ chapter, shown }: { chapter: ReferenceChapter; shown: ShownWith }) {
  const { title, head, parts } = chapter
  return (
    <section id={head?.id} className="scroll-mt-6">
      <h2 className="text-xl">{title}</h2>
      <div className="max-w-[68ch]">
        <Markdown pieces={head?.pieces ?? []} label="h3" />
      </div>
      {parts.map((part) => (
        <PartSection key={part.id} part={part} shown={shown} heading="h3" />
      ))}
    </section>
  )
}

function Groups({ chapters }: { chapters: ReferenceChapter[] }) {
  return (
    <section aria-labelledby="groups">
      <h2 id="groups" className="mb-3 text-xl">
        Operations
      </h2>
      <ul className="divide-y divide-line border-y border-line text-[0.9375rem]">
        {chapters.map(({ group, title, about, head }) => (
          <li
            key={group}
            className="relative grid gap-x-4 py-2.5 sm:grid-cols-[10rem_minmax(0,1fr)]"
          >
            <Link to="/docs/api/$group" params={{ group }} className="row-link font-medium">
              {title}
            </Link>
            <span className="text-muted">{about === '' ? head?.pieces[0]?.text : about}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
