/** The narrow pages around signing in: one column, one form. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, sentenceOf } from '../api/problem.ts'
import { Button, Field, Notice } from './controls.tsx'
import { PageHead } from './page-head.tsx'

export function Entrance({
  title,
  about,
  children,
}: {
  title: string
  about?: ReactNode
  children: ReactNode
}) {
  return (
    <div className="mx-auto max-w-sm pt-2 sm:pt-8">
      <PageHead name={title} about={about} />
      {children}
    </div>
  )
}

export type FormWork = {
  isBusy: boolean
  error: string | null
  /** Status of the refusal; 0 where there was none. */
  status: number
  run(work: () => Promise<unknown>): Promise<void>
  /** Returns what the form does when it is sent; `work` is given its fields by their names. */
  sends(work: (field: FieldOf, form: HTMLFormElement) => Promise<unknown>): Send
}
export type FieldOf = (name: string) => string
type Send = (event: FormEvent<HTMLFormElement>) => void

/** Runs what a form does, and keeps the refusal. */
export function useFormWork(): FormWork {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await work()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const sends: FormWork['sends'] = (work) => (event) => {
    const { currentTarget } = event
    const field = fieldsOf(event)
    void run(() => work(field, currentTarget))
  }
  const status = error instanceof ApiError ? error.status : 0
  return { isBusy, error: error === null ? null : sentenceOf(error), status, run, sends }
}

/** Returns the fields of a form by name, as texts. */
export function fieldsOf(event: FormEvent<HTMLFormElement>): FieldOf {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => String(data.get(name) ?? '')
}

/** The place of a form's refusal: always in the page, so that it is announced. */
export function FormError({ error }: { error: string | null }) {
  return (
    <div aria-live="assertive" className="not-empty:mt-3">
      {error !== null && <Notice tone="danger">{error}</Notice>}
    </div>
  )
}

/** The refusal and the button of a form that is all of its page. */
export function FormEnd({ form, children }: { form: FormWork; children: string }) {
  return (
    <>
      <FormError error={form.error} />
      <Button type="submit" kind="primary" isBusy={form.isBusy} className="w-full">
        {children}
      </Button>
    </>
  )
}

/** Bounds of a password's length, as on the server, which also refuses passwords that attackers try first. */
const PASSWORD_LENGTH = { minLength: 10, maxLength: 128 }
export const PASSWORD_HINT = `At least ${PASSWORD_LENGTH.minLength} characters, and not a common password; a sentence of your own works well.`

/** The field of a password: the one of an account, or a new one. */
export function PasswordField({
  isNew = false,
  ...field
}: {
  label: string
  name?: string
  hint?: string
  isNew?: boolean
}) {
  const kind = isNew
    ? { autoComplete: 'new-password', hint: PASSWORD_HINT, ...PASSWORD_LENGTH }
    : { autoComplete: 'current-password' }
  return <Field name="password" type="password" required {...kind} {...field} />
}

/** Says that the address of a page lacks what a mailed link has. */
export function IncompleteLink() {
  return <Notice tone="warn">This link is incomplete. Open it from the email again.</Notice>
}
