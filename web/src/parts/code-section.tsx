/** A section with lines to copy: a command or a program, and what it is for. */
import type { ReactNode } from 'react'
import { Section } from './controls.tsx'
import { CopyButton } from './copy.tsx'

export function CodeSection({
  title,
  about,
  text,
  label = title,
  children,
}: {
  title: string
  about: string
  /** The lines, as they are copied. */
  text: string
  /** What a screen reader calls the lines. */
  label?: string
  /** What stands above the lines. */
  children?: ReactNode
}) {
  return (
    <Section title={title} about={about} action={<CopyButton text={text} />}>
      {children}
      <pre
        tabIndex={0}
        aria-label={label}
        className="overflow-x-auto rounded-xl bg-sunken p-5 font-mono text-[0.8125rem] leading-relaxed"
      >
        <code>{text}</code>
      </pre>
    </Section>
  )
}
