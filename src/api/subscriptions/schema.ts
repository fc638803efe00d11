/** The contract of subscriptions: what their routes take and answer. */
import { Type } from 'typebox'
import { LIMITS } from '../../config/config.ts'
import { OWNED_CHOICES } from '../../model/jobs/owned-text.ts'
import { SUBSCRIPTION_STATES } from '../../model/follow/subscription.ts'
import { DateTime, nullable, optionalInteger, optionalText, Usd, wordOf } from '../contract.ts'
import { JobBody, JobId } from '../jobs/schema.ts'

const BACKLOG_MAX = 500
/** The longest time between two looks that an owner may set: a week. */
const EVERY_HOURS_MAX = 168

const SubscriptionId = Type.String({
  pattern: '^[\\w-]{1,40}$',
  description: 'Subscription id, as POST /subscriptions returned it',
  examples: ['sub_6f1f3a52c0f94c0a8a3f7f0f8f0c2a11'],
})
export const SubscriptionParams = Type.Object({ id: SubscriptionId })

const Cap = Type.String({
  maxLength: 20,
  description:
    'The most that new videos may cost in a calendar month (UTC), in USD; at least the price of one transcript',
  examples: ['2.50'],
})

const EveryHours = Type.Integer({
  minimum: 1,
  maximum: EVERY_HOURS_MAX,
  description:
    'How often it is checked; without it hourly to daily, depending on how often the source publishes',
  examples: [6],
})

export const Subscription = Type.Object(
  {
    id: SubscriptionId,
    url: Type.String({ description: 'The line as it was sent: the URL set of every job' }),
    title: nullable(Type.String(), 'Name of the channel, once a check has found it'),
    state: wordOf(SUBSCRIPTION_STATES, {
      description:
        '`paused`: you asked; `out_of_money`: the balance covers none of the new videos; `cap_reached`: they wait ' +
        'for the next month; `gone`: the platform no longer has the list',
    }),
    createdAt: DateTime,
    lastLookedAt: nullable(DateTime, 'The last check that the platform answered'),
    nextLookAt: nullable(DateTime, 'Null where there is none: paused or gone'),
    neverFound: Type.Optional(
      Type.Boolean({
        description:
          'Present and true where the platform has only ever said that there is no such list',
      }),
    ),
    monthlyCap: Usd,
    everyHours: Type.Optional(EveryHours),
    owned: Type.Optional(
      wordOf(['again'], {
        description: 'Present where what other orders delivered is bought again',
      }),
    ),
    spentThisMonth: Type.String({
      description:
        'Charges of the jobs started this month (UTC), and reserves of those that are open',
      examples: ['0.240'],
    }),
    jobs: Type.Array(JobId, {
      description: `The latest jobs it started, newest first, at most ${LIMITS.subscriptionJobsShown}`,
    }),
    notice: nullable(Type.String(), 'What its owner should know, in a sentence'),
  },
  { title: 'Subscription' },
)

export const SubscriptionBody = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: LIMITS.sourceLineChars,
      description: 'One channel or playlist, spelled as for POST /jobs',
      examples: ['https://www.youtube.com/@channel'],
    }),
    monthlyCap: Cap,
    language: JobBody.properties.language,
    formats: JobBody.properties.formats,
    backlog: optionalInteger({
      minimum: 0,
      maximum: BACKLOG_MAX,
      default: 0,
      description: 'How many of the latest videos to buy as well; 0: only new ones',
    }),
    everyHours: Type.Optional(EveryHours),
    owned: Type.Optional(
      wordOf(OWNED_CHOICES, {
        default: 'skip',
        description:
          'What to do with videos that the account already owns from other orders: `skip` leaves them out, `again` buys them again',
      }),
    ),
    publishedAfter: optionalText({
      minLength: 1,
      maxLength: 40,
      description: 'Only videos of the backlog published on or after this date; as for POST /jobs',
      examples: ['2026-01-01'],
    }),
  },
  { additionalProperties: false, title: 'SubscriptionRequest' },
)

export const SubscriptionPatch = Type.Object(
  {
    monthlyCap: Type.Optional(Cap),
    everyHours: Type.Optional(nullable(EveryHours, 'Null: as often as the source publishes')),
    state: Type.Optional(wordOf(['active', 'paused'])),
  },
  { additionalProperties: false, minProperties: 1, title: 'SubscriptionChange' },
)
