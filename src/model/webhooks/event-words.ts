/** Events of webhooks in words: for the website, and for the description of the API. */

/** `label` names it where it is chosen or listed; `about` says to a receiver what has happened. */
type EventWords = { label: string; about: string }

/** Words by type of event; whoever reads one that is missing here does not compile. */
export const EVENT_WORDS = {
  'job.finished': {
    label: 'A job has finished',
    about: 'A job has finished: every one of its videos has a row',
  },
  'job.cancelled': {
    label: 'A job was cancelled',
    about: 'A job was cancelled; what it delivered is charged and stays',
  },
  'job.failed': {
    label: 'A job has failed',
    about: 'A job has failed because of a fault of ours; what it delivered is charged and stays',
  },
  'job.interrupted': {
    label: 'A job was interrupted',
    about: 'A job ran out of time or attempts; send the same URLs to continue it',
  },
  'subscription.found': {
    label: 'New videos were found',
    about:
      'A check found new videos; `jobs` begins with the job that fetches them, if it was started at once',
  },
  'subscription.active': {
    label: 'Following resumed',
    about: 'A subscription resumed: by its owner, with new credit or in a new month',
  },
  'subscription.paused': {
    label: 'Following was paused',
    about: 'A subscription was paused by its owner',
  },
  'subscription.out_of_money': {
    label: 'New videos are waiting for credit',
    about: 'The balance covers none of the new videos of a subscription; they wait',
  },
  'subscription.cap_reached': {
    label: 'New videos are waiting for the next month',
    about: 'The monthly limit is used up, and new videos of a subscription wait',
  },
  'subscription.gone': {
    label: 'Channel or playlist removed',
    about: 'The channel or playlist no longer exists; it is not checked again',
  },
  'webhook.test': { label: 'A test', about: 'A test was asked for; its job is an example' },
} satisfies Record<string, EventWords>
