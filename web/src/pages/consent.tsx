/** /consent: an app has sent the reader here, and gets the answer at its own address. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ask, type Decided } from '../api/account.ts'
import { appQuestionQuery } from '../api/queries.ts'
import { AppQuestionForm } from '../parts/app-question.tsx'
import { Notice } from '../parts/controls.tsx'
import { Entrance, useFormWork } from '../parts/entrance.tsx'
import { sentenceOf } from '../api/problem.ts'

const route = getRouteApi('/member/consent')

export function ConsentPage() {
  const { request } = route.useSearch()
  const { data: question, error } = useQuery(
    appQuestionQuery(`/consent?request=${encodeURIComponent(request)}`),
  )
  const work = useFormWork()
  const decide = (isAllowed: boolean, monthlyCap: string) =>
    void work.run(async () => {
      const decided = await ask<Decided>('POST', '/consent', { request, isAllowed, monthlyCap })
      location.assign(decided.location)
    })
  return (
    <Entrance title="Connect an app">
      {error !== null && (
        <Notice tone="danger" title="This request cannot be answered">
          {sentenceOf(error)} Go back to the app and start again.
        </Notice>
      )}
      {error === null && <AppQuestionForm question={question} work={work} decide={decide} />}
    </Entrance>
  )
}
