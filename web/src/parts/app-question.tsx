/** The question whether an app may act for the reader: in plain words what it may do and spend. */
import type { FormEvent } from 'react'
import type { AppQuestion } from '../api/account.ts'
import { usd } from '../format.ts'
import { SCOPE_WORDS } from './app-words.ts'
import { Button, Notice } from './controls.tsx'
import { fieldsOf, FormError, type FormWork } from './entrance.tsx'
import { Loading } from './states.tsx'
import { dollarsOf, MonthlyLimit } from './terms.tsx'

/** `question` is undefined while it loads; `decide` is given the cap in dollars. */
export function AppQuestionForm({
  question,
  work,
  decide,
}: {
  question: AppQuestion | undefined
  work: FormWork
  decide: (isAllowed: boolean, monthlyCap: string) => void
}) {
  if (question === undefined) return <Loading lines={4} label="Loading the question" />
  const { name, scopes, destination } = question
  const spends = scopes.includes('jobs:write')
  const submit = (event: FormEvent<HTMLFormElement>) => decide(true, dollarsOf(fieldsOf(event)))
  return (
    <form onSubmit={submit} className="space-y-6">
      <Whose question={question} />
      <div>
        <h2 className="mb-2 text-lg">
          <bdi>{name}</bdi> will be able to
        </h2>
        <ul className="list-disc space-y-1.5 pl-5 text-[0.9375rem]">
          {scopes.map((scope) => (
            <li key={scope}>{SCOPE_WORDS[scope]}</li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-muted">
          It cannot see your password, your API keys or your payments, and cannot add credit.
        </p>
      </div>
      {spends && (
        <MonthlyLimit
          required
          defaultValue={String(Number(question.monthlyCap))}
          hint={hintOf(question)}
        />
      )}
      {destination !== null && (
        <p className="text-[0.9375rem]" data-testid="destination">
          Afterwards you will be sent to <strong>{destinationWords(destination)}</strong>.
        </p>
      )}
      <FormError error={work.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary" isBusy={work.isBusy}>
          Allow
        </Button>
        <Button isBusy={work.isBusy} onClick={() => decide(false, '0')}>
          Do not allow
        </Button>
      </div>
      <p className="text-sm text-muted">
        You can change the limit or disconnect it at any time in your account.
      </p>
    </form>
  )
}

/** Shows whose app it is. Any app can choose any name; only a document at an address proves the publisher. */
function Whose({ question: { publisher, isConnected, name } }: { question: AppQuestion }) {
  if (isConnected)
    return (
      <Notice>
        <bdi>{name}</bdi> is already connected; this asks again what it may do.
      </Notice>
    )
  return publisher === null ? (
    <Notice tone="warn" title="Only continue if you have just asked for this">
      Programs choose their own names, and nobody has verified this one.
    </Notice>
  ) : (
    <Notice>
      This app is published by <strong>{publisher}</strong>.
    </Notice>
  )
}

function hintOf({ pricePerTranscript, spentThisMonth, isConnected }: AppQuestion): string {
  const price = `A transcript costs ${usd(pricePerTranscript)}.`
  const spent = isConnected ? ` So far this month it spent ${usd(spentThisMonth)}.` : ''
  return `${price}${spent} Beyond it, orders are refused until the next month. It never spends more than your balance.`
}

function destinationWords({ kind, name }: NonNullable<AppQuestion['destination']>): string {
  if (kind === 'computer') return 'a program on this computer'
  return kind === 'program' ? `the program that opens ${name}: links` : name
}
