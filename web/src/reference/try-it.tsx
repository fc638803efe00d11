/** A form for one operation: a field for each parameter and one for the body, with the answer below. */
import { type FormEvent, useState } from 'react'
import { withoutInvisible } from '../../../src/kit/text/invisible.ts'
import { currentBearer } from '../api/client.ts'
import { CodeBlock } from '../parts/code-block.tsx'
import { Button, Field, TextArea } from '../parts/controls.tsx'
import type { Operation } from './openapi.ts'
import { tryCall } from './try-call.ts'

/** What all parts are shown with. */
export type ShownWith = {
  base: string
  keyStart: string | null
  isMember: boolean
  /** The key that was typed for calls from here, once for all forms. */
  typedKey: string
  onTypedKey: (key: string) => void
}

export function TryIt({ operation, shown }: { operation: Operation; shown: ShownWith }) {
  const { operationId, parameters } = operation
  const [answer, setAnswer] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string): string => String(form.get(name) ?? '').trim()
    const values = Object.fromEntries(parameters.map(({ name }) => [name, text(`p-${name}`)]))
    const body = operation.body === null ? null : text('body')
    setBusy(true)
    setAnswer('…')
    const key = withoutInvisible(shown.typedKey).trim()
    const isOwn = key === '' && shown.isMember
    Promise.resolve(isOwn ? currentBearer(null) : key)
      .then((apiKey) => tryCall(operation, { values, body, apiKey }, setAnswer))
      .catch((error: unknown) => setAnswer(`The request could not be sent: ${String(error)}`))
      .finally(() => setBusy(false))
  }

  return (
    <details className="rounded-xl border border-line" data-testid={`try-${operationId}`}>
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-medium">Try it here</summary>
      <form onSubmit={send} className="space-y-4 border-t border-line px-4 py-4">
        {operation.needsKey && (
          <Field
            label="API key"
            type="password"
            autoComplete="off"
            value={shown.typedKey}
            onChange={(event) => shown.onTypedKey(event.target.value)}
            placeholder={shown.isMember ? 'or as you are signed in' : ''}
          />
        )}
        {parameters.map(({ name, required = false, schema, example }) => (
          <Field
            key={name}
            name={`p-${name}`}
            label={required ? `${name} (required)` : name}
            required={required}
            placeholder={String(example ?? schema.default ?? '')}
          />
        ))}
        {operation.body !== null && (
          <TextArea
            name="body"
            label="Body"
            rows={6}
            className="font-mono text-sm"
            defaultValue={JSON.stringify(operation.body, null, 2)}
          />
        )}
        <Button type="submit" kind="primary" size="small" isBusy={isBusy}>
          Send
        </Button>
        {answer !== null && <CodeBlock title="Answer" text={answer} isLive />}
      </form>
    </details>
  )
}
