/** Code or an answer in the right column, with its title and a button that copies it. */
import { CopyButton } from '../parts/copy.tsx'

export function CodeBlock({
  title,
  text,
  isLive = false,
}: {
  title: string
  text: string
  /** True for an answer that arrives while the reader waits. */
  isLive?: boolean
}) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-xl border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-2 pl-4 text-sm text-muted">
        {title}
        <CopyButton text={text} />
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
