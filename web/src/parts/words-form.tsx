/** The form that changes what a job or a project is called, and what is noted about it. */
import type { ReactNode } from 'react'
import { Button, Field, TextArea } from './controls.tsx'
import { type FieldOf, FormError, useFormWork } from './entrance.tsx'

const NAME_CHARS_MAX = 120
const NOTE_CHARS_MAX = 2_000

export type WordsToChange = {
  /** What the form is called for those who do not see it. */
  label: string
  name: string | null
  /** Undefined where there is none to write. */
  note?: string | null
  /** The field of the name, beside its value. */
  nameField: { placeholder?: string; hint?: string; required?: boolean }
  /** The words of the button; "Save" without any. */
  action?: string
  /** Saves the fields, given by their names. */
  save: (field: FieldOf) => Promise<void>
  /** Further fields below the note. */
  fields?: ReactNode
}

export function WordsForm({ words, onEnd }: { words: WordsToChange; onEnd: () => void }) {
  const work = useFormWork()
  return (
    <form
      aria-label={words.label}
      className="w-full max-w-xl space-y-4"
      onSubmit={work.sends(async (field) => {
        await words.save(field)
        onEnd()
      })}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
    >
      <Field
        label="Name"
        name="name"
        defaultValue={words.name ?? ''}
        maxLength={NAME_CHARS_MAX}
        autoFocus
        {...words.nameField}
      />
      {words.note !== undefined && (
        <TextArea
          label="Note"
          name="note"
          defaultValue={words.note ?? ''}
          maxLength={NOTE_CHARS_MAX}
          rows={3}
        />
      )}
      {words.fields}
      <FormError error={work.error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" isBusy={work.isBusy}>
          {words.action ?? 'Save'}
        </Button>
        <Button size="small" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
