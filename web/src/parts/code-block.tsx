/** Code or an answer with a head that copies it, and where it stands in three languages, the switch between them. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { visitQuery } from '../api/queries.ts'
import { CODE_LANGUAGE, useKept } from '../kept-choice.ts'
import { CopyButton } from './copy.tsx'
import { type CodeExample, type Language, LANGUAGES } from './examples.ts'

export function CodeBlock({
  title,
  head = title,
  text,
  isLive = false,
}: {
  /** What a screen reader calls the code. */
  title: string
  /** What stands before the button, where it is not the title. */
  head?: ReactNode
  text: string
  /** True for an answer that arrives while the reader waits. */
  isLive?: boolean
}) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-xl border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4 text-sm text-muted">
        {head}
        <CopyButton text={text} kind="quiet" />
      </figcaption>
      <pre
        tabIndex={0}
        aria-label={title}
        aria-live={isLive ? 'polite' : undefined}
        className="max-h-96 overflow-auto px-4 py-3 font-mono text-[0.8125rem] leading-relaxed"
      >
        <code>{text}</code>
      </pre>
    </figure>
  )
}

/** A program in the language that the reader chose, once for all of them. */
export function ProgramBlock({
  title,
  written,
}: {
  title: string
  written: (language: Language) => string
}) {
  const language = useKept(CODE_LANGUAGE)
  return (
    <CodeBlock
      title={`${title}, as ${language}`}
      head={<LanguageTabs chosen={language} />}
      text={written(language)}
    />
  )
}

/** An example with the base address, and a channel that exists on the platform of this service. */
export function ExampleBlock({ title, code }: CodeExample) {
  const { data: visit } = useQuery(visitQuery)
  const { apiBase = '', examples } = visit ?? {}
  return (
    <ProgramBlock
      title={title}
      written={(language) =>
        code[language].replaceAll('BASE', apiBase).replaceAll('CHANNEL', examples?.channel ?? '…')
      }
    />
  )
}

/** The languages beside each other; the browser's own keys move the choice. */
function LanguageTabs({ chosen }: { chosen: Language }) {
  const group = useId()
  return (
    <span role="radiogroup" aria-label="Language of the examples" className="-ml-3 flex">
      {(Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => (
        <label
          key={language}
          className="relative flex h-9 items-center rounded-md px-3 font-medium hover:text-ink has-checked:text-accent"
        >
          <input
            type="radio"
            name={group}
            checked={language === chosen}
            onChange={() => CODE_LANGUAGE.keep(language)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md"
          />
          {name}
        </label>
      ))}
    </span>
  )
}
