/** The question before a job is cancelled. */
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { jobs } from '../api/client.ts'
import { Confirm } from './confirm.tsx'

type Props = { id: string; trigger: ReactNode; triggerLook: string }

export function CancelQuestion({ id, ...button }: Props) {
  const client = useQueryClient()
  return (
    <Confirm
      isAskedAtOnce
      {...button}
      title="Cancel this job?"
      action="Cancel the job"
      isDangerous
      onConfirm={async () => client.setQueryData(['job', id], await jobs.cancel(id))}
    >
      <p>
        What was delivered so far is charged and stays readable. The rest of the reserve is
        released.
      </p>
    </Confirm>
  )
}
