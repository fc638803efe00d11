/** /docs: the reference of the API, from the document that the service itself publishes. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { withoutInvisible } from '../../../src/kit/text/invisible.ts'
import { currentBearer } from '../api/client.ts'
import { documentQuery, keysQuery, visitQuery } from '../api/queries.ts'
import { Field } from '../parts/controls.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { SAMPLE_LANGUAGES, type SampleLanguage } from '../reference/code-samples.ts'
import { Contents, partsWith } from '../reference/contents.tsx'
import {
  type ApiDocument,
  errorAnchor,
  type ErrorCode,
  errorCodesOf,
  operationsOf,
} from '../reference/openapi.ts'
import { OperationPart } from '../reference/operation-part.tsx'
import { Line, Prose } from '../reference/prose.tsx'
import { QuickStart } from '../reference/quick-start.tsx'

export function ReferencePage() {
  const { data: document, error, refetch } = useQuery(documentQuery)
  return (
    <>
      <PageHead
        title="API reference"
        name="API reference"
        about={<Downloads document={document} />}
      />
      {error !== null && document === undefined && (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
      {document === undefined ? (
        error === null && <Loading lines={6} />
      ) : (
        <Reference document={document} />
      )}
    </>
  )
}

function Downloads({ document }: { document: ApiDocument | undefined }) {
  return (
    <>
      Version {document?.info.version ?? '…'}, for programs as{' '}
      <a href="/api/v1/openapi.json" className="link">
        OpenAPI document
      </a>
      .
    </>
  )
}

function Reference({ document }: { document: ApiDocument }) {
  const [words, setWords] = useState('')
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  const [typedKey, setTypedKey] = useState('')
  const keyStart = useKeyStart()
  const all = useMemo(
    () => ({ document, operations: operationsOf(document), errors: errorCodesOf(document) }),
    [document],
  )
  const parts = useMemo(() => partsWith(words, all), [words, all])
  useAnchor()

  const isMember = useQuery(visitQuery).data?.email != null
  const readKey = async (): Promise<string> => {
    const key = withoutInvisible(typedKey).trim()
    if (key !== '') return key
    return isMember ? currentBearer(null) : ''
  }
  const shown = { document, language, keyStart, readKey }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 lg:grid-cols-[13rem_minmax(0,1fr)]">
      <Contents parts={parts} words={words} onWords={setWords} />
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
          <LanguageChoice language={language} onLanguage={setLanguage} />
        </div>
        {words === '' && (
          <>
            <QuickStart base={document.servers[0]?.url ?? ''} />
            <section id="introduction" className="max-w-[70ch] scroll-mt-6">
              <h2 className="mb-3 text-xl">Introduction</h2>
              <Prose text={document.info.description} className="mb-3 text-[0.9375rem]" />
            </section>
          </>
        )}
        {parts.tags.map(({ name, description, operations }) => (
          <section key={name} aria-label={name} className="mt-12 border-t border-line pt-8">
            <h2 className="text-xl">{name}</h2>
            <p className="mt-1 text-muted">{description}</p>
            {operations.map((operation) => (
              <OperationPart key={operation.operationId} operation={operation} shown={shown} />
            ))}
          </section>
        ))}
        {parts.errors.length > 0 && <Errors errors={parts.errors} />}
      </div>
    </div>
  )
}

function LanguageChoice({
  language,
  onLanguage,
}: {
  language: SampleLanguage
  onLanguage: (language: SampleLanguage) => void
}) {
  return (
    <label className="block text-sm font-medium">
      Examples in
      <select
        value={language}
        onChange={(event) => onLanguage(event.target.value as SampleLanguage)}
        className="mt-1.5 block h-11 rounded-lg border border-control bg-surface px-3 text-base"
      >
        {SAMPLE_LANGUAGES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
}

function Errors({ errors }: { errors: ErrorCode[] }) {
  return (
    <section aria-label="Errors" className="mt-12 max-w-[70ch] border-t border-line pt-8">
      <h2 className="text-xl">Errors</h2>
      <p className="mt-1 text-muted">
        Codes are stable; the sentences are for people and may change. The header <code>Link</code>{' '}
        of an error leads to its code here.
      </p>
      {errors.map(({ code, answers }) => (
        <section key={code} id={errorAnchor(code)} className="scroll-mt-6 pt-8">
          <h3 className="font-mono text-base font-semibold">
            <a href={`#${errorAnchor(code)}`} className="text-ink no-underline hover:underline">
              {code}
            </a>
          </h3>
          <ul className="mt-2 space-y-1.5 text-[0.9375rem]">
            {answers.map(({ status, message }) => (
              <li key={status + message} className="flex gap-4">
                <b className="numbers w-10 shrink-0 font-mono text-sm">{status}</b>
                <span className="min-w-0 text-muted">
                  <Line text={message} />
                </span>
              </li>
            ))}
          </ul>
        </section>
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
