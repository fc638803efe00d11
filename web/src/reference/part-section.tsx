/** One part of the reference: what it says, and beside it, in sight as long as it is read, calls, a form, examples. */
import { useState } from 'react'
import { CodeBlock, ProgramBlock } from '../parts/code-block.tsx'
import { codeSample } from './code-samples.ts'
import { Markdown } from './markdown.tsx'
import type { Example } from './openapi.ts'
import type { ReferencePart } from './parts.ts'
import { type ShownWith, TryIt } from './try-it.tsx'

/** A text, and code beside it where there is room, else below. */
export const BESIDE = {
  row: 'grid grid-cols-[minmax(0,1fr)] gap-x-10 gap-y-6 xl:grid-cols-2',
  // The margin keeps rings around fields within what is cut.
  code: 'min-w-0 space-y-4 xl:sticky xl:top-6 xl:-m-1 xl:max-h-[calc(100dvh-3rem)] xl:self-start xl:overflow-y-auto xl:p-1',
}

export function PartSection({
  part: { id, title, pieces, operation, examples },
  shown,
  heading: Heading,
}: {
  part: ReferencePart
  shown: ShownWith
  heading: 'h2' | 'h3'
}) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-6 border-line not-first-of-type:border-t py-10 first-of-type:pt-0"
    >
      <div className={BESIDE.row}>
        <div className="max-w-[68ch] min-w-0">
          <Heading
            id={`${id}-title`}
            className={operation === null ? 'font-mono text-base wrap-anywhere' : 'text-xl'}
          >
            <a href={`#${id}`} className="text-ink no-underline hover:underline">
              {title}
            </a>
          </Heading>
          {operation !== null && (
            <p className="mt-1 font-mono text-sm wrap-anywhere">
              <b>{operation.method}</b> {operation.path}
            </p>
          )}
          <Markdown pieces={pieces} label={Heading === 'h2' ? 'h3' : 'h4'} />
        </div>
        <div className={BESIDE.code}>
          {operation !== null && (
            <>
              <ProgramBlock
                title={title}
                written={(language) => codeSample(operation, { ...shown, language })}
              />
              <TryIt operation={operation} shown={shown} />
            </>
          )}
          {/* The text has the fullest example of each answer, which is one of all that the document has. */}
          <Examples examples={operation?.examples ?? examples} />
        </div>
      </div>
    </section>
  )
}

/** The examples, one at a time. */
function Examples({ examples }: { examples: Example[] }) {
  const [at, setAt] = useState(0)
  const example = examples[at]
  if (example === undefined) return null
  const choice = (
    <select
      aria-label="Example"
      value={at}
      onChange={({ target }) => setAt(Number(target.value))}
      className="-ml-1 h-9 min-w-0 flex-1 bg-transparent text-ellipsis"
    >
      {examples.map(({ title }, index) => (
        <option key={index} value={index}>
          {title}
        </option>
      ))}
    </select>
  )
  return <CodeBlock {...example} head={examples.length > 1 ? choice : example.title} />
}
