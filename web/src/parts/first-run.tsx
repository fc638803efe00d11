/** The first account of a service, the operator's: made with the code of the link that its terminal shows. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { readVisitAfresh, visitQuery } from '../api/queries.ts'
import { ask } from '../api/account.ts'
import { Entrance, FormEnd, PasswordField, useFormWork } from './entrance.tsx'
import { Field, Notice } from './controls.tsx'

/** Matches the code in the printed address; browsers send no fragment to anybody. */
const CODE = /^#code=([\w-]{43})$/

/** Returns the code of this page's address; null without one. */
export function firstRunCode(): string | null {
  return CODE.exec(location.hash)?.[1] ?? null
}

export function FirstRunForm({ code }: { code: string }) {
  const client = useQueryClient()
  const router = useRouter()
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    const made = { code, email: field('email'), password: field('password') }
    await ask('POST', '/first-run', made)
    await readVisitAfresh(client)
    router.history.push('/library')
  })
  return (
    <Entrance
      title="First account"
      about="Nobody has an account here yet. Yours will be the operator’s: it comes with $5.00 of credit, and opens the console, where accounts get more."
    >
      <form onSubmit={submit} className="space-y-5">
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <PasswordField label="Password" isNew />
        <FormEnd form={form}>Create the operator’s account</FormEnd>
      </form>
      <p className="mt-6 text-sm text-muted">
        Once there is an account, the link stops working. With{' '}
        <code className="font-mono">FIRST_RUN=false</code> the service never prints one.
      </p>
    </Entrance>
  )
}

/** Says on the pages of sign-in how the first account is made, while there is none. */
export function FirstRunNotice() {
  const { data: visit } = useQuery(visitQuery)
  if (visit?.isFirstRun !== true) return null
  return (
    <div className="mb-5">
      <Notice>
        Nobody has an account here yet. The link that the service printed in its terminal creates
        the operator’s.
      </Notice>
    </div>
  )
}
