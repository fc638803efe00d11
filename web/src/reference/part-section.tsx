/** One part of the reference: what it says on the left; calls, a form and examples on the right. */
import { CodeBlock } from './code-block.tsx'
import { codeSample, type SampleLanguage } from './code-samples.ts'
import { Markdown } from './markdown.tsx'
import type { ReferencePart } from './parts.ts'
import { TryIt } from './try-it.tsx'

/** What all parts are shown with. */
export type ShownWith = {
  base: string
  language: SampleLanguage
  keyStart: string | null
  readKey: () => Promise<string>
}

export function PartSection({ part, shown }: { part: ReferencePart; shown: ShownWith }) {
  const { id, title, pieces, operation } = part
  // The text has the fullest example of each answer, which is one of all that the document has.
  const { examples } = operation ?? part
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 pt-10">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 xl:grid-cols-2">
        <div className="min-w-0">
          <h3
            id={`${id}-title`}
            className={operation === null ? 'font-mono text-base wrap-anywhere' : 'text-lg'}
          >
            <a href={`#${id}`} className="text-ink no-underline hover:underline">
              {title}
            </a>
          </h3>
          {operation !== null && (
            <p className="mt-1 font-mono text-sm wrap-anywhere">
              <b>{operation.method}</b> {operation.path}
            </p>
          )}
          <Markdown pieces={pieces} label="h4" />
        </div>
        <div className="min-w-0 space-y-4">
          {operation !== null && (
            <>
              <CodeBlock title={shown.language} text={codeSample(operation, shown)} />
              <TryIt operation={operation} readKey={shown.readKey} />
            </>
          )}
          {examples.map((example, index) => (
            <CodeBlock key={index} {...example} />
          ))}
        </div>
      </div>
    </section>
  )
}
