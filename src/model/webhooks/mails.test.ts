/** The mail about a job that has ended: what it says in its subject and its first lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobState } from '../jobs/job.ts'
import { mailOfJob } from './mails.ts'

/** The subject and the first two lines of a mail, which say the same in full. */
const CASES: [state: JobState, success: number, processed: number, said: string[]][] = [
  [
    'finished',
    1,
    1,
    [
      'Your job has finished: 1 of 1 video delivered',
      'The job “Talks” has finished.',
      '1 of 1 video was delivered.',
    ],
  ],
  [
    'interrupted',
    2,
    5,
    [
      'Your job has been interrupted: 2 of 5 videos delivered',
      'The job “Talks” has been interrupted.',
      '2 of 5 videos were delivered.',
    ],
  ],
]

for (const [state, success, processed, said] of CASES)
  test(`the mail about a job that has ${state} with ${success} of ${processed} videos`, () => {
    const job = { id: 'j', state, error: null, processed, counts: { success } }
    const ask = { to: 'a@example.org', job, title: 'Talks', publicUrl: 'https://x.example' }
    const { subject, lines } = mailOfJob(ask)
    assert.deepEqual([subject, ...lines.slice(0, 2)], said)
  })
