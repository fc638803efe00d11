/** /docs and /docs/api/{group}: the reference of the API, from the Markdown that the service gives to programs. */
import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { keysQuery, visitQuery } from '../api/queries.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Waiting } from '../parts/states.tsx'
import { Contents } from '../reference/contents.tsx'
import { FirstPage } from '../reference/first-page.tsx'
import { Markdown } from '../reference/markdown.tsx'
import { PartSection } from '../reference/part-section.tsx'
import { anchorsOf, type ReadReference, referenceQuery } from '../reference/parts.ts'
import type { ShownWith } from '../reference/try-it.tsx'
import { NotFoundPage } from './not-found.tsx'

export function ReferencePage() {
  const { group = '' } = useParams({ strict: false })
  const query = useQuery(referenceQuery)
  if (query.data === undefined) return <Waiting query={query} lines={6} />
  return <Reference reference={query.data} group={group} />
}

function Reference({ reference, group }: { reference: ReadReference; group: string }) {
  const { base, chapters } = reference
  const shown = useShownWith(base)
  const anchor = useRouterState({ select: ({ location }) => location.hash })
  const named = chapters.find((one) => anchorsOf(one).includes(anchor))
  // The browser looked for the part before it was there.
  useEffect(() => document.getElementById(anchor)?.scrollIntoView(), [anchor, group])

  const chapter = chapters.find((one) => one.group === group)
  if (chapter === undefined) return <NotFoundPage />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      {/* Links of errors, and those of before, name a part by its anchor on the first page. */}
      {named !== undefined && named.group !== group && (
        <Navigate
          to={named.group === '' ? '/docs' : '/docs/api/$group'}
          params={{ group: named.group }}
          hash={anchor}
          replace
        />
      )}
      <Contents chapters={chapters} group={group} />
      {group === '' ? (
        <FirstPage reference={reference} shown={shown} />
      ) : (
        <section id={chapter.head?.id} aria-label={chapter.title} className="min-w-0 scroll-mt-6">
          <PageHead
            name={`${chapter.title} · API reference`}
            title={chapter.title}
            about={chapter.about}
          />
          {chapter.head !== null && (
            <div className="mb-10 max-w-[68ch]">
              <Markdown pieces={chapter.head.pieces} label="h2" />
            </div>
          )}
          {chapter.parts.map((part) => (
            <PartSection key={part.id} part={part} shown={shown} heading="h2" />
          ))}
        </section>
      )}
    </div>
  )
}

/** Returns what examples and forms are shown with; `keyStart` begins a key that the signed-in reader has. */
function useShownWith(base: string): ShownWith {
  const [typedKey, onTypedKey] = useState('')
  const isMember = useQuery(visitQuery).data?.email != null
  const { data: keys = [] } = useQuery({ ...keysQuery, enabled: isMember })
  const keyStart = keys.find(({ revokedAt }) => revokedAt === null)?.prefix ?? null
  return { base, keyStart, isMember, typedKey, onTypedKey }
}
