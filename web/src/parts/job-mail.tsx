/** The setting that mails the account when a job is final. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ask, type JobMail } from '../api/account.ts'
import { jobMailQuery } from '../api/queries.ts'
import { CheckBox, Section } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'

export function JobMailSection() {
  const client = useQueryClient()
  const { data } = useQuery(jobMailQuery)
  const work = useFormWork()
  const turn = (isOn: boolean) =>
    void work.run(async () =>
      client.setQueryData(jobMailQuery.queryKey, await ask<JobMail>('PUT', '/job-mail', { isOn })),
    )
  return (
    <Section title="Emails" about="To the address of this account.">
      <CheckBox
        checked={data?.isOn === true}
        disabled={data === undefined || work.isBusy}
        onChange={({ target }) => turn(target.checked)}
      >
        Send me an email when a job or batch has ended
      </CheckBox>
      <FormError error={work.error} />
    </Section>
  )
}
