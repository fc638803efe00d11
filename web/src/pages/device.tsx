/**
 * /device: the reader types the code of a program that has no browser, and lets the program in or not. A code in the
 * address is not read: a link may come from somebody who wants their own program let in (RFC 8628, section 5.4).
 */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ask } from '../api/account.ts'
import { sentenceOf } from '../api/problem.ts'
import { appQuestionQuery } from '../api/queries.ts'
import { AppQuestionForm } from '../parts/app-question.tsx'
import { Button, Field, Notice } from '../parts/controls.tsx'
import { Entrance, fieldsOf, FormError, useFormWork } from '../parts/entrance.tsx'

export function DevicePage() {
  const [typed, setTyped] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => setTyped(fieldsOf(event)('code'))
  if (typed !== null) return <Question code={typed} onAgain={() => setTyped(null)} />
  return (
    <Entrance title="Connect a program" about="Enter the code that the program shows.">
      <form onSubmit={submit} className="space-y-5">
        <Field
          label="Code"
          name="code"
          required
          maxLength={20}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <Button type="submit" kind="primary" className="w-full">
          Continue
        </Button>
      </form>
    </Entrance>
  )
}

function Question({ code, onAgain }: { code: string; onAgain: () => void }) {
  const path = `/device?code=${encodeURIComponent(code)}`
  const { data: question, error } = useQuery(appQuestionQuery(path))
  const [decided, setDecided] = useState<boolean | null>(null)
  const work = useFormWork()
  const decide = (isAllowed: boolean, monthlyCap: string) =>
    void work.run(async () => {
      await ask('POST', '/device', { code, isAllowed, monthlyCap })
      setDecided(isAllowed)
    })
  if (decided !== null)
    return (
      <Entrance title={decided ? 'Connected' : 'Not connected'}>
        <Notice>
          {decided
            ? 'The program continues by itself; you can close this page.'
            : 'The program was refused.'}
        </Notice>
      </Entrance>
    )
  return (
    <Entrance
      title="Connect a program"
      about={
        <>
          Is <strong className="numbers text-ink">{code.toUpperCase()}</strong> the code that your
          own program shows now? If somebody sent it to you, do not continue.
        </>
      }
    >
      {error !== null && (
        <div className="space-y-5">
          <FormError error={sentenceOf(error)} />
          <Button onClick={onAgain}>Type another code</Button>
        </div>
      )}
      {error === null && <AppQuestionForm question={question} work={work} decide={decide} />}
    </Entrance>
  )
}
