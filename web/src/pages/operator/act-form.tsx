/** An act with its reason, behind a button: the reason is in the log for ever. */
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { readAnew } from '../../api/operator.ts'
import { Button, Field } from '../../parts/controls.tsx'
import { type FieldOf, FormError, useFormWork } from '../../parts/entrance.tsx'

export function ActForm({
  name,
  about,
  isDangerous = false,
  children,
  onAct,
}: {
  name: string
  /** Explanation, where the name does not say it all. */
  about?: string
  isDangerous?: boolean
  /** Further fields, of which the first has the focus. */
  children?: ReactNode
  onAct: (reason: string, field: FieldOf) => Promise<unknown>
}) {
  const client = useQueryClient()
  const form = useFormWork()
  /** Null before it was first opened. */
  const [isOpen, setOpen] = useState<boolean | null>(null)
  if (isOpen !== true) {
    return (
      <Button
        autoFocus={isOpen === false}
        size="small"
        kind={isDangerous ? 'danger' : 'plain'}
        onClick={() => setOpen(true)}
      >
        {name}…
      </Button>
    )
  }
  return (
    <form
      className="w-full max-w-sm space-y-3 rounded-xl border border-line p-4"
      onSubmit={form.sends(async (field) => {
        await onAct(field('reason'), field)
        setOpen(false)
        await readAnew(client)
      })}
    >
      {about !== undefined && <p className="text-sm text-muted">{about}</p>}
      {children}
      <Field
        label="Reason, for the log"
        name="reason"
        autoFocus={children === undefined}
        minLength={3}
        maxLength={500}
        required
      />
      <FormError error={form.error} />
      <div className="flex gap-2">
        <Button
          type="submit"
          size="small"
          kind={isDangerous ? 'danger' : 'primary'}
          isBusy={form.isBusy}
        >
          {name}
        </Button>
        <Button size="small" kind="quiet" onClick={() => setOpen(false)}>
          Not now
        </Button>
      </div>
    </form>
  )
}
