/** One channel or playlist that is followed: its state, and what can be done with it. */
import { useQueryClient } from '@tanstack/react-query'
import { changeFollowed, isNeverFound, type Subscription, unfollow } from '../api/following.ts'
import { counted, microsOf, recently, usd } from '../format.ts'
import { FOLLOWED_WORDS } from '../words.ts'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Notice } from './controls.tsx'
import { Dot, ListRow, PartsBar } from './list-row.tsx'
import { FollowedTerms } from './followed-terms.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { TextLink } from './text-link.tsx'

const SHADES: Record<Subscription['state'], string> = {
  active: 'bg-accent',
  paused: 'bg-control/55',
  out_of_money: 'bg-warn',
  cap_reached: 'bg-warn',
  gone: 'bg-danger',
}

export function FollowedLine({ subscription }: { subscription: Subscription }) {
  const { id, state, notice } = subscription
  const client = useQueryClient()
  const work = useFormWork()
  const refresh = () => client.invalidateQueries({ queryKey: ['following'] })
  const rests = state === 'paused' || state === 'gone'

  const turn = () =>
    work.run(async () => {
      await changeFollowed(id, { state: rests ? 'active' : 'paused' })
      await refresh()
    })
  return (
    <ListRow
      name={<FollowedName subscription={subscription} />}
      about={<AboutFollowed subscription={subscription} />}
      figure={<MonthBar subscription={subscription} />}
      end={
        <div className="flex gap-2 sm:w-48 sm:justify-end">
          <Button size="small" isBusy={work.isBusy} onClick={() => void turn()}>
            {rests ? 'Resume' : 'Pause'}
          </Button>
          <Confirm
            trigger="Unfollow"
            triggerLook={buttonLook('plain', 'small')}
            title="Stop following?"
            action="Unfollow"
            isDangerous
            onConfirm={async () => {
              await unfollow(id)
              await refresh()
            }}
          >
            <p>No more new videos are bought. Your transcripts stay yours.</p>
          </Confirm>
        </div>
      }
    >
      {notice !== null && (
        <div className="mt-3">
          <Notice tone={state === 'gone' ? 'danger' : 'warn'}>{notice}</Notice>
        </div>
      )}
      <FollowedTerms subscription={subscription} onDone={refresh} />
      <FormError error={work.error} />
    </ListRow>
  )
}

function FollowedName({ subscription: { url, title } }: { subscription: Subscription }) {
  return (
    <>
      <p className="font-medium wrap-anywhere">
        <bdi>{title ?? url}</bdi>
      </p>
      {title !== null && (
        <p className="text-sm wrap-anywhere text-muted" dir="ltr">
          {url}
        </p>
      )}
    </>
  )
}

/** The part of the month's limit that is spent, below its amount. */
function MonthBar({ subscription }: { subscription: Subscription }) {
  const { spentThisMonth, monthlyCap } = subscription
  const spent = Number(microsOf(spentThisMonth))
  return (
    <div className="numbers space-y-1.5 text-sm text-muted">
      <p>
        {usd(spentThisMonth)} of {usd(monthlyCap)} this month
      </p>
      <PartsBar parts={[['bg-accent', spent]]} whole={Number(microsOf(monthlyCap))} />
    </div>
  )
}

function AboutFollowed({ subscription }: { subscription: Subscription }) {
  const { jobs, state } = subscription
  const shade = isNeverFound(subscription) ? SHADES.gone : SHADES[state]
  return (
    <p>
      <Dot shade={shade} />
      <StateWords subscription={subscription} /> · {lookWords(subscription)}
      {jobs[0] !== undefined && (
        <>
          {' · '}
          <TextLink to="/jobs/$id" params={{ id: jobs[0] }}>
            latest job
          </TextLink>
        </>
      )}
    </p>
  )
}

function StateWords({ subscription }: { subscription: Subscription }) {
  const words = FOLLOWED_WORDS[isNeverFound(subscription) ? 'missing' : subscription.state]
  return subscription.state === 'gone' ? <span className="text-danger">{words}</span> : words
}

function lookWords({ lastLookedAt, nextLookAt, everyHours }: Subscription): string {
  const every = everyHours === undefined ? '' : `every ${counted(everyHours, 'hour')}, `
  if (lastLookedAt === null) return `${every}not checked yet`
  const next = nextLookAt === null ? '' : `, next ${recently(nextLookAt)}`
  return `${every}checked ${recently(lastLookedAt)}${next}`
}
