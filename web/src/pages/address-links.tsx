/**
 * The links of a change of address: the one to the new address confirms it, the one to the old address keeps the
 * account.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type AddressKept, ask } from '../api/account.ts'
import { readVisitAfresh } from '../api/queries.ts'
import { Button, Notice } from '../parts/controls.tsx'
import { CheckMail } from '../parts/check-mail.tsx'
import { accessWords } from '../format.ts'
import { Entrance, FormError, IncompleteLink, useFormWork } from '../parts/entrance.tsx'
import { TextLink } from '../parts/text-link.tsx'

/** The page needs a sign-in: the link proves the address, and the session says whose account it is. */
export function ConfirmAddressPage() {
  const client = useQueryClient()
  const [email, setEmail] = useState<string | null>(null)
  const confirm = async (text: string) => {
    await ask('POST', '/address/confirm', { token: text })
    const visit = await readVisitAfresh(client)
    setEmail(visit.email)
  }
  if (email !== null)
    return (
      <Entrance title="Your address is changed" about={`You sign in with ${email} from now on.`}>
        <TextLink to="/settings/$part" params={{ part: 'sign-in' }}>
          To the account
        </TextLink>
      </Entrance>
    )
  return (
    <LinkQuestion
      title="Use this address?"
      about="From now on, your account uses the address this link was sent to: to sign in, for mail and on invoices."
      action="Use this address"
      onConfirm={confirm}
    />
  )
}

/** The page for the reader of the old address's mail, signed in or not. */
export function KeepAddressPage() {
  const client = useQueryClient()
  const [kept, setKept] = useState<AddressKept | null>(null)
  const keep = async (text: string) => {
    setKept(await ask('POST', '/address/keep', { token: text }))
    await readVisitAfresh(client)
  }
  if (kept !== null)
    return (
      <Entrance
        title="Your account keeps its address"
        about={`It still uses ${kept.email}. Everyone is signed out, and the password no longer works.`}
      >
        <CheckMail email={kept.email} purpose="to choose a new password" />
        <Ended ended={kept.ended} />
      </Entrance>
    )
  return (
    <LinkQuestion
      title="Did you not make this change?"
      about="Then your account keeps the address this link was sent to. Everyone is signed out, the password stops working, and you get a link to choose a new one. API keys, passkeys, apps and webhooks added since the day before the change are removed, too."
      action="This was not me: keep my address"
      onConfirm={keep}
    />
  )
}

/** Lists what else was ended; the page for the new password asks about older things. */
function Ended({ ended }: { ended: AddressKept['ended'] }) {
  const sentence = accessWords(ended)
  if (sentence === '') return null
  return (
    <div className="mt-6">
      <Notice title="Removed with the change">
        {sentence} added or changed since the day before it. Older ones still work; you can revoke
        them once you have chosen a new password.
      </Notice>
    </div>
  )
}

type QuestionProps = {
  title: string
  about: string
  action: string
  onConfirm: (token: string) => Promise<void>
}

/** Asks for a click, since programs that scan mail open links too. */
function LinkQuestion({ title, about, action, onConfirm }: QuestionProps) {
  const { token } = useSearch({ strict: false })
  const form = useFormWork()
  return (
    <Entrance title={title} about={token && about}>
      {token === undefined ? (
        <IncompleteLink />
      ) : (
        <Button
          kind="primary"
          isBusy={form.isBusy}
          onClick={() => void form.run(() => onConfirm(token))}
        >
          {action}
        </Button>
      )}
      <FormError error={form.error} />
    </Entrance>
  )
}
