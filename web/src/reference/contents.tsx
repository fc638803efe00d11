/** The reference's contents, with a box that keeps the entries with a word in their name, address or fields. */
import type { ReactNode } from 'react'
import { type ApiDocument, errorAnchor, type ErrorCode, type Operation } from './openapi.ts'

const ENTRY = 'block py-1 text-[0.9375rem] text-muted no-underline wrap-anywhere hover:text-ink'

export type ReferenceParts = {
  tags: { name: string; description: string; operations: Operation[] }[]
  errors: ErrorCode[]
}

export function Contents({
  parts,
  words,
  onWords,
}: {
  parts: ReferenceParts
  words: string
  onWords: (words: string) => void
}) {
  const found = parts.tags.reduce((sum, { operations }) => sum + operations.length, 0)
  return (
    <nav
      aria-label="Contents"
      className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto"
    >
      <input
        type="search"
        aria-label="Search the reference"
        placeholder="Search"
        value={words}
        onChange={(event) => onWords(event.target.value)}
        className="mb-1 h-10 w-full rounded-lg border border-control bg-surface px-3 text-base"
      />
      <p role="status" className="mb-3 min-h-5 text-sm text-muted">
        {words === ''
          ? ''
          : found + parts.errors.length === 0
            ? 'Nothing found'
            : `${found + parts.errors.length} found`}
      </p>
      {/* On a phone the list would come before everything else: it is hidden there until a search. */}
      <div className={words === '' ? 'hidden lg:block' : ''}>
        {words === '' && (
          <>
            <a href="#quick-start" className={ENTRY}>
              Quick start
            </a>
            <a href="#introduction" className={ENTRY}>
              Introduction
            </a>
          </>
        )}
        {parts.tags.map(({ name, operations }) => (
          <Group key={name} name={name}>
            {operations.map(({ operationId, summary }) => (
              <li key={operationId}>
                <a href={`#${operationId}`} className={ENTRY}>
                  {shortened(summary)}
                </a>
              </li>
            ))}
          </Group>
        ))}
        {parts.errors.length > 0 && (
          <Group name="Errors">
            {parts.errors.map(({ code }) => (
              <li key={code}>
                <a href={`#${errorAnchor(code)}`} className={`${ENTRY} font-mono !text-sm`}>
                  {code}
                </a>
              </li>
            ))}
          </Group>
        )}
      </div>
    </nav>
  )
}

/** Returns the first clause: the operation itself has the rest. */
function shortened(summary: string): string {
  return summary.split(/[:;,]/)[0] ?? summary
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="mt-4">
      <p className="text-sm font-semibold">{name}</p>
      <ul>{children}</ul>
    </div>
  )
}

/** Returns the parts of the document that have every one of the words, or all parts where there are no words. */
export function partsWith(
  words: string,
  {
    document,
    operations,
    errors,
  }: { document: ApiDocument; operations: Operation[]; errors: ErrorCode[] },
): ReferenceParts {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const has = (text: string): boolean => wanted.every((word) => text.includes(word))
  const isKept = (operation: Operation): boolean => has(textOf(operation).toLowerCase())
  return {
    tags: document.tags
      .map((tag) => ({
        ...tag,
        operations: operations.filter(
          (one) => one.tags?.includes(tag.name) === true && isKept(one),
        ),
      }))
      .filter((tag) => tag.operations.length > 0),
    errors: errors.filter(({ code, answers }) =>
      has(`${code} ${answers.map(({ message }) => message).join(' ')}`.toLowerCase()),
    ),
  }
}

function textOf({
  method,
  path,
  summary,
  description,
  parameters,
  requestBody,
}: Operation): string {
  const names = (parameters ?? []).map(({ name }) => name).join(' ')
  const body = JSON.stringify(requestBody?.content['application/json']?.schema ?? '')
  return `${method} ${path} ${summary} ${description ?? ''} ${names} ${body}`
}
