/** One operation: its meaning and fields on the left; calls, a form and answers on the right. */
import { useMemo } from 'react'
import { CodeBlock } from './code-block.tsx'
import { codeSample, type SampleLanguage } from './code-samples.ts'
import { FieldTable } from './field-table.tsx'
import { fieldRowsOf, rowOf } from './fields.ts'
import { type ApiDocument, errorAnchor, type Operation } from './openapi.ts'
import { Line, Prose } from './prose.tsx'
import { TryIt } from './try-it.tsx'

/**
 * Base of the form's calls: the same origin, whatever the public address says, since the page may call nothing else.
 */
const BASE = '/api/v1'

type Shown = {
  document: ApiDocument
  language: SampleLanguage
  keyStart: string | null
  readKey: () => Promise<string>
}

export function OperationPart({ operation, shown }: { operation: Operation; shown: Shown }) {
  const { operationId, summary, description = '', method, path } = operation
  return (
    <section
      id={operationId}
      aria-labelledby={`${operationId}-title`}
      className="scroll-mt-6 pt-10"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 xl:grid-cols-2">
        <div className="min-w-0">
          <h3 id={`${operationId}-title`} className="text-lg">
            <a href={`#${operationId}`} className="text-ink no-underline hover:underline">
              {summary}
            </a>
          </h3>
          <p className="mt-1 font-mono text-sm wrap-anywhere">
            <b>{method}</b> {path}
            {operation['x-extension'] === true && (
              <span className="ml-3 rounded bg-accent-soft px-1.5 py-0.5 font-sans text-xs">
                extension
              </span>
            )}
          </p>
          <Prose text={description} className="mt-3 text-[0.9375rem] text-muted" />
          <Fields operation={operation} document={shown.document} />
          <Answers operation={operation} />
        </div>
        <Calls operation={operation} shown={shown} />
      </div>
    </section>
  )
}

function Fields({ operation, document }: { operation: Operation; document: ApiDocument }) {
  const { parameters = [], requestBody, responses } = operation
  const tables = useMemo(() => {
    const inPlace = (place: string) =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema, required, description }) => ({
          ...rowOf(schema, { document, path: name }),
          isRequired: required === true,
          ...(description === undefined ? {} : { about: description }),
        }))
    const body = requestBody?.content['application/json']?.schema
    const good = Object.entries(responses).find(([status]) => status.startsWith('2'))
    const answered = good?.[1].content?.['application/json']?.schema
    return [
      { title: 'Path', rows: inPlace('path') },
      { title: 'Query', rows: inPlace('query') },
      { title: 'Headers', rows: inPlace('header') },
      { title: 'Body', rows: body === undefined ? [] : fieldRowsOf(body, document) },
      { title: 'Answer', rows: answered === undefined ? [] : fieldRowsOf(answered, document) },
    ]
  }, [document, parameters, requestBody, responses])
  return tables.map((table) => <FieldTable key={table.title} {...table} />)
}

/** Lists every status with its meaning; the codes of an error link to their explanation. */
function Answers({ operation }: { operation: Operation }) {
  return (
    <section className="mt-6">
      <h4 className="mb-1 text-sm font-semibold">Statuses</h4>
      <ul className="divide-y divide-line border-y border-line text-[0.9375rem]">
        {Object.entries(operation.responses).map(([status, { description, content }]) => (
          <li key={status} className="flex gap-4 py-2">
            <b className="numbers w-10 shrink-0 font-mono text-sm">{status}</b>
            <span className="min-w-0 text-muted">
              <Line text={description} />{' '}
              {status >= '4' &&
                Object.keys(content?.['application/json']?.examples ?? {}).map((code) => (
                  <a
                    key={code}
                    href={`#${errorAnchor(code)}`}
                    className="link mr-2 inline-block font-mono text-sm"
                  >
                    {code}
                  </a>
                ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Calls({ operation, shown }: { operation: Operation; shown: Shown }) {
  const { document, language, keyStart, readKey } = shown
  const base = document.servers[0]?.url ?? BASE
  const examples = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, { content = {} }]) =>
      Object.values(content).flatMap((one) =>
        Object.values(one.examples ?? {}).map(({ summary = '', value }) => ({
          title: `${status} ${summary}`,
          text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
        })),
      ),
    )
  return (
    <div className="min-w-0 space-y-4">
      <CodeBlock title={language} text={codeSample(operation, { base, keyStart, language })} />
      <TryIt operation={operation} base={BASE} readKey={readKey} />
      {examples.map(({ title, text }) => (
        <CodeBlock key={title} title={title} text={text} />
      ))}
    </div>
  )
}
