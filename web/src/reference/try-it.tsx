/** A form for one operation: a field for each parameter and one for the body, with the answer below. */
import { type FormEvent, useState } from 'react'
import { Button, Field, TextArea } from '../parts/controls.tsx'
import { CodeBlock } from './code-block.tsx'
import type { Operation } from './openapi.ts'
import { tryCall } from './try-call.ts'

export function TryIt({
  operation,
  readKey,
}: {
  operation: Operation
  /** Returns the key to call with, '' for none. */
  readKey: () => Promise<string>
}) {
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
    readKey()
      .then((apiKey) => tryCall(operation, { values, body, apiKey }, setAnswer))
      .catch((error: unknown) => setAnswer(`The request could not be sent: ${String(error)}`))
      .finally(() => setBusy(false))
  }

  return (
    <details className="rounded-xl border border-line" data-testid={`try-${operationId}`}>
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-medium">Try it here</summary>
      <form onSubmit={send} className="space-y-4 border-t border-line px-4 py-4">
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
