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

type FieldProps = { label: string; hint?: ReactNode; error?: string | null }

/** A labelled input, which announces its own error. */
export function Field({
  label,
  hint,
  error = null,
  className = '',
  ...input
}: FieldProps & ComponentProps<'input'>) {
  const id = useId()
  const limit = useLimit(input)
  return (
    <div className={className}>
      <FieldLabel id={id} label={label} />
      <input
        {...input}
        {...limit.told}
        id={id}
        className={`${INPUT_LOOK} h-11`}
        {...described(id, hint, error)}
      />
      <FieldNotes id={id} hint={hint} error={error} limit={limit.words} />
    </div>
  )
}

/** A labelled list of options, of which one is chosen. */
export function Choice({
  label,
  hint,
  className = '',
  children,
  ...select
}: { label: string; hint?: ReactNode } & ComponentProps<'select'>) {
  const id = useId()
  return (
    <div className={className}>
      <FieldLabel id={id} label={label} />
      <select
        {...select}
        id={id}
        className="h-11 w-full min-w-0 rounded-lg border border-control bg-surface px-3 text-base"
        {...described(id, hint, null)}
      >
        {children}
      </select>
      <FieldNotes id={id} hint={hint} error={null} />
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

export function TextArea({
  label,
  hint,
  error = null,
  ...input
}: FieldProps & ComponentProps<'textarea'>) {
  const id = useId()
  const limit = useLimit(input)
  return (
    <div>
      <FieldLabel id={id} label={label} />
      <textarea
        {...input}
        {...limit.told}
        id={id}
        className={`${INPUT_LOOK} resize-y py-2.5 leading-relaxed`}
        {...described(id, hint, error)}
      />
      <FieldNotes id={id} hint={hint} error={error} limit={limit.words} />
    </div>
  )
}

/** Length from which a field's limit is told: a code or an amount is as long as its field. */
const TOLD_CHARS_MIN = 40

/** Returns what a field says once it takes no more characters, since the browser drops them without a word. */
function useLimit({ maxLength = 0 }: { maxLength?: number | undefined }) {
  const [isFull, setFull] = useState(false)
  const onInput = ({
    currentTarget: { value },
  }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    setFull(maxLength >= TOLD_CHARS_MIN && value.length >= maxLength)
  return { told: { onInput }, words: isFull ? `At most ${count(maxLength)} characters.` : '' }
}

function described(id: string, hint: ReactNode, error: string | null) {
  const names = [
    hint === undefined ? '' : `${id}-hint`,
    error === null ? '' : `${id}-error`,
  ].filter((name) => name !== '')
  return {
    ...(error === null ? {} : { 'aria-invalid': true as const }),
    ...(names.length === 0 ? {} : { 'aria-describedby': names.join(' ') }),
  }
}

function FieldLabel({ id, label }: { id: string; label: string }) {
  return (
    <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
      {label}
    </label>
  )
}

type Notes = { id: string; hint?: ReactNode; error: string | null; limit?: string }

function FieldNotes({ id, hint, error, limit = '' }: Notes) {
  return (
    <>
      <p aria-live="polite" className="text-sm text-muted not-empty:mt-1.5">
        {limit}
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
    </>
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
