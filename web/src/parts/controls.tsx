/** Buttons, links that look like them, fields and notices: the controls of every page. */
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { count } from '../format.ts'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

const KINDS: Record<Kind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface text-ink border-line hover:border-control',
  quiet: 'bg-transparent text-muted border-transparent hover:text-ink hover:bg-sunken',
  danger: 'bg-surface text-danger border-line hover:border-danger hover:bg-danger-soft',
}
const SIZES = {
  normal: 'min-h-11 px-4 py-1 text-[0.9375rem]',
  small: 'min-h-9 px-3 py-1 text-sm',
}

/** Returns the look of a button, also for links. */
export function buttonLook(kind: Kind = 'plain', size: keyof typeof SIZES = 'normal'): string {
  return `inline-flex items-center justify-center gap-2 rounded-lg border font-medium no-underline
    whitespace-nowrap max-[24rem]:whitespace-normal transition-colors disabled:opacity-55 disabled:cursor-not-allowed ${KINDS[kind]} ${SIZES[size]}`
}

export function Button({
  kind = 'plain',
  size = 'normal',
  isBusy = false,
  className = '',
  ...rest
}: ComponentProps<'button'> & { kind?: Kind; size?: keyof typeof SIZES; isBusy?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
      className={`${buttonLook(kind, size)} ${className}`}
    />
  )
}

const INPUT_LOOK = `w-full rounded-lg border border-control bg-surface px-3 text-base text-ink
  transition-colors aria-invalid:border-danger`

/** The look of a list's filters, which stand in one line with its heading and are named by aria-label. */
export const SMALL_INPUT = `h-10 rounded-lg border border-control bg-surface px-3 text-base sm:text-[0.9375rem]`

type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  className?: string | undefined
}

/** A labelled input, which announces its own error. */
export function Field({
  label,
  hint,
  error,
  className,
  ...input
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Labelled {...{ label, hint, error, className }} charsMax={input.maxLength}>
      {(told) => <input {...input} {...told} className={`${INPUT_LOOK} h-11`} />}
    </Labelled>
  )
}

export function TextArea({
  label,
  hint,
  error,
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  const look = `${INPUT_LOOK} resize-y py-2.5 leading-relaxed`
  return (
    <Labelled {...{ label, hint, error }} charsMax={input.maxLength}>
      {(told) => <textarea {...input} {...told} className={look} />}
    </Labelled>
  )
}

/** A labelled list of options, of which one is chosen. */
export function Choice({
  label,
  hint,
  className,
  ...select
}: FieldProps & ComponentProps<'select'>) {
  const look = 'h-11 w-full min-w-0 rounded-lg border border-control bg-surface px-3 text-base'
  return (
    <Labelled {...{ label, hint, className }}>
      {(told) => <select {...select} {...told} className={look} />}
    </Labelled>
  )
}

/** Length from which a field's limit is told: a code or an amount is as long as its field. */
const TOLD_CHARS_MIN = 40

type Told = {
  id: string
  onInput: (event: FormEvent<{ value: string }>) => void
  'aria-invalid'?: true
  'aria-describedby'?: string
}

/**
 * A control between its label and its notes, to which it belongs by what it is told. Once it takes no more characters,
 * the field says so, since the browser drops them without a word.
 */
function Labelled({
  label,
  hint,
  error = null,
  className,
  charsMax = 0,
  children,
}: FieldProps & { charsMax?: number | undefined; children: (told: Told) => ReactNode }) {
  const id = useId()
  const [isFull, setFull] = useState(false)
  const notes = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === null ? [] : [`${id}-error`]),
  ]
  const told: Told = {
    id,
    onInput: ({ currentTarget: { value } }) =>
      setFull(charsMax >= TOLD_CHARS_MIN && value.length >= charsMax),
    ...(error === null ? {} : { 'aria-invalid': true }),
    ...(notes.length === 0 ? {} : { 'aria-describedby': notes.join(' ') }),
  }
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(told)}
      <p aria-live="polite" className="text-sm text-muted not-empty:mt-1.5">
        {isFull && `At most ${count(charsMax)} characters.`}
      </p>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== null && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** A box to tick, before its words. */
export function CheckBox({ className = '', children, ...input }: ComponentProps<'input'>) {
  return (
    <label className={`flex min-h-9 cursor-pointer items-center gap-2.5 ${className}`}>
      <input type="checkbox" {...input} className="size-4.5 accent-accent" />
      {children}
    </label>
  )
}

const TONES = {
  calm: 'bg-accent-soft text-ink',
  warn: 'bg-warn-soft text-ink',
  danger: 'bg-danger-soft text-ink',
}

/** A message that the reader should know now; `danger` is announced at once. */
export function Notice({
  tone = 'calm',
  title,
  children,
}: {
  tone?: keyof typeof TONES
  title?: string
  children?: ReactNode
}) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`rounded-xl px-4 py-3 text-[0.9375rem] ${TONES[tone]}`}
    >
      {title !== undefined && <p className="font-semibold">{title}</p>}
      {children}
    </div>
  )
}

/** A part of a page with its heading. */
export function Section({
  title,
  about,
  action,
  children,
}: {
  title: string
  about?: ReactNode
  action?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-t border-line pt-8">
      <div className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="max-w-[60ch]">
          <h2 id={id} className="text-xl">
            {title}
          </h2>
          {about !== undefined && <p className="mt-1.5 text-[0.9375rem] text-muted">{about}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
