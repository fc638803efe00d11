/** One channel or playlist that is followed: its state, and what can be done with it. */
import { useQueryClient } from '@tanstack/react-query'
import { changeFollowed, isNeverFound, type Subscription, unfollow } from '../api/following.ts'
import { counted, microsOf, recently, usd } from '../format.ts'
import { FOLLOWED_WORDS } from '../words.ts'
import { Confirm } from './confirm.tsx'
import { Button, buttonLook, Notice } from './controls.tsx'
import { Dot, ListRow, PartsBar } from './list-row.tsx'
import { FollowedTerms } from './followed-terms.tsx'
import { useFormWork } from './entrance.tsx'
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
        <div className="flex gap-2 sm:w-44 sm:justify-end">
          <Button size="small" isBusy={work.isBusy} onClick={() => void turn()}>
            {rests ? 'Follow again' : 'Pause'}
          </Button>
          <Confirm
            trigger="Stop"
            triggerLook={buttonLook('plain', 'small')}
            title="Stop following?"
            action="Stop following"
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
      {work.error !== null && (
        <p role="alert" className="mt-2 text-sm font-medium text-danger">
          {work.error}
        </p>
      )}
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

/** The part of the month's limit that is spent. */
function MonthBar({
  subscription: { spentThisMonth, monthlyCap },
}: {
  subscription: Subscription
}) {
  const spent = Number(microsOf(spentThisMonth))
  return <PartsBar parts={[['bg-accent', spent]]} whole={Number(microsOf(monthlyCap))} />
}

function AboutFollowed({ subscription }: { subscription: Subscription }) {
  const { jobs, state } = subscription
  const shade = isNeverFound(subscription) ? SHADES.gone : SHADES[state]
  return (
    <p>
      <Dot shade={shade} />
      <StateWords subscription={subscription} /> · {lookWords(subscription)} ·{' '}
      {moneyWords(subscription)}
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

function lookWords({ lastLookedAt, nextLookAt }: Subscription): string {
  const last = lastLookedAt === null ? 'not checked yet' : `checked ${recently(lastLookedAt)}`
  return nextLookAt === null || lastLookedAt === null
    ? last
    : `${last}, next ${recently(nextLookAt)}`
}

function moneyWords({ spentThisMonth, monthlyCap, everyHours }: Subscription): string {
  const every = everyHours === undefined ? '' : `, checked every ${counted(everyHours, 'hour')}`
  return `${usd(spentThisMonth)} of ${usd(monthlyCap)} this month${every}`
}
