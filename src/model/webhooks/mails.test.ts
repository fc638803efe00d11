/** The mail about a job that has ended: what it says in its subject and its first lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobState } from '../jobs/job.ts'
import { mailOfBatch, mailOfJob } from './mails.ts'

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

test('the mail about a batch says how many it delivered, why it stopped, and leads to it', () => {
  const batch = { id: 'batch_1', state: 'stopped' as const, notice: 'Add credit to continue.' }
  const ask = { to: 'a@example.org', delivered: 1, title: 'Talks', publicUrl: 'https://x.example' }
  const { subject, lines, link } = mailOfBatch({ ...ask, batch })
  assert.equal(subject, 'Your batch has stopped: 1 transcript delivered')
  assert.deepEqual(lines.slice(0, 3), [
    'The batch “Talks” has stopped.',
    '1 transcript was delivered.',
    'Add credit to continue.',
  ])
  assert.equal(link, 'https://x.example/batches/batch_1')
})
