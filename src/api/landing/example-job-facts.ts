/**
 * The job on the first page: a real one, over a channel of the emulator, as it was when it had ended.
 * test/previews/trials.test.ts holds it against such a job, and writes it with UPDATE_DOCUMENTS=1.
 */

/** What a job was and cost. `others` counts what was not delivered, by its label; `rows` are some of all. */
export type ExampleJob = {
  name: string
  processed: number
  delivered: number
  others: { label: string; videos: number }[]
  rows: { index: number; title: string; label: string; isDelivered: boolean }[]
}

export const LANDING_JOB: ExampleJob = {
  name: '@smallworkshop and 2 videos',
  processed: 26,
  delivered: 22,
  others: [
    { label: 'No captions', videos: 2 },
    { label: 'Private video', videos: 1 },
    { label: 'No captions yet: live now', videos: 1 },
  ],
  rows: [
    {
      index: 1,
      title: 'The whole village keeps asking about the morning light (24)',
      label: 'Delivered',
      isDelivered: true,
    },
    {
      index: 2,
      title: 'This machine moves slowly under a box of letters (23)',
      label: 'Delivered',
      isDelivered: true,
    },
    {
      index: 3,
      title: 'My neighbour looks after the morning light (22)',
      label: 'Delivered',
      isDelivered: true,
    },
    {
      index: 15,
      title: 'The old bridge moves slowly under everything at once (10)',
      label: 'No captions',
      isDelivered: false,
    },
    {
      index: 25,
      title: 'https://www.youtube.com/watch?v=w9uwpjIQra4',
      label: 'Private video',
      isDelivered: false,
    },
    {
      index: 26,
      title: 'Laboratory: On air: OK, isLive, no captions yet',
      label: 'No captions yet: live now',
      isDelivered: false,
    },
  ],
}
