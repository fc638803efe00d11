/** /docs: the reference of the API, from the Markdown that the service gives to programs. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { version as RELEASE } from '../../package.json'
import { withoutInvisible } from '../../../src/kit/text/invisible.ts'
import { currentBearer } from '../api/client.ts'
import { keysQuery, visitQuery } from '../api/queries.ts'
import { Choice, Field } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Waiting } from '../parts/states.tsx'
import { SAMPLE_LANGUAGES, type SampleLanguage } from '../reference/code-samples.ts'
import { Contents } from '../reference/contents.tsx'
import { Markdown } from '../reference/markdown.tsx'
import { PartSection, type ShownWith } from '../reference/part-section.tsx'
import { chaptersWith, type ReferenceChapter, referenceQuery } from '../reference/parts.ts'
import { QuickStart } from '../reference/quick-start.tsx'

export function ReferencePage() {
  const query = useQuery(referenceQuery)
  const { data } = query
  return (
    <>
      <PageHead
        name="API reference"
        about={
          <>
            Version {data?.version ?? '…'} of the interface, release {RELEASE} of Scriptorium; for
            programs as{' '}
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
      <Waiting query={query} lines={6} />
      {data !== undefined && <Reference base={data.base} chapters={data.chapters} />}
    </>
  )
}

function Reference({ base, chapters: all }: { base: string; chapters: ReferenceChapter[] }) {
  const [words, setWords] = useState('')
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const [typedKey, setTypedKey] = useState('')
  const keyStart = useKeyStart()
  const chapters = useMemo(() => chaptersWith(words, all), [words, all])
  useAnchor()

  const isMember = useQuery(visitQuery).data?.email != null
  const readKey = async (): Promise<string> => {
    const key = withoutInvisible(typedKey).trim()
    if (key !== '') return key
    return isMember ? currentBearer(null) : ''
  }
  const shown = { base, language, keyStart, readKey }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Contents chapters={chapters} words={words} onWords={setWords} />
      <div className="min-w-0">
        <div className="mb-6 flex flex-wrap items-end gap-4">
          <Field
            label="API key to try calls with"
            type="password"
            autoComplete="off"
            value={typedKey}
            onChange={(event) => setTypedKey(event.target.value)}
            placeholder={isMember ? 'or as you are signed in' : ''}
            className="w-64"
          />
          <Choice
            label="Examples in"
            value={language}
            onChange={(event) => setLanguage(event.target.value as SampleLanguage)}
          >
            {SAMPLE_LANGUAGES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Choice>
        </div>
        {words === '' && <QuickStart base={base} />}
        {chapters.map((chapter) => (
          <Chapter key={chapter.title} chapter={chapter} shown={shown} />
        ))}
      </div>
    </div>
  )
}

function Chapter({ chapter, shown }: { chapter: ReferenceChapter; shown: ShownWith }) {
  const { title, about, head, parts } = chapter
  return (
    <section
      id={head?.id}
      aria-label={title}
      className="mt-12 scroll-mt-6 border-t border-line pt-8"
    >
      <h2 className="text-xl">{title}</h2>
      <div className="max-w-[70ch]">
        {about !== '' && <p className="mt-1 text-muted">{about}</p>}
        <Markdown pieces={head?.pieces ?? []} label="h3" />
      </div>
      {parts.map((part) => (
        <PartSection key={part.id} part={part} shown={shown} />
      ))}
    </section>
  )
}

/** Returns the beginning of a key that the signed-in reader has, for the examples. */
function useKeyStart(): string | null {
  const isMember = useQuery(visitQuery).data?.email != null
  const { data: keys = [] } = useQuery({ ...keysQuery, enabled: isMember })
  return keys.find(({ revokedAt }) => revokedAt === null)?.prefix ?? null
}

/** Scrolls to the part that the address names, once the document has loaded: the browser looked too early. */
function useAnchor(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1))
    if (id !== '') document.getElementById(id)?.scrollIntoView()
  }, [])
}
