/** The account's subscriptions: channels and playlists whose new videos are bought automatically. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FOLLOWED_PAGE, followFound, followedQuery } from '../api/following.ts'
import { PAGE_NAMES } from '../words.ts'
import { Button, Field, Section } from '../parts/controls.tsx'
import { FormError, useFormWork } from '../parts/entrance.tsx'
import { FollowedLine } from '../parts/followed-line.tsx'
import { Lines } from '../parts/list-row.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { Waiting } from '../parts/states.tsx'
import { dollarsOf, Interval, MonthlyLimit } from '../parts/terms.tsx'

export function FollowingPage() {
  const [offset, setOffset] = useState(0)
  const query = useQuery(followedQuery(offset))
  const { data: page, error } = query
  return (
    <>
      <PageHead
        name={PAGE_NAMES.following}
        about="New videos of these channels and playlists are bought automatically, each once, within the monthly limits you set."
      />
      <Waiting query={query} lines={2} label="Loading what you follow" />
      <Lines of={page?.subscriptions}>
        {(one) => <FollowedLine key={one.id} subscription={one} />}
      </Lines>
      <Pager offset={offset} limit={FOLLOWED_PAGE} total={page?.total ?? 0} onOffset={setOffset} />
      {(page !== undefined || error !== null) && (
        <div className={page?.total === 0 ? '' : 'mt-10'}>
          <NewSubscription onMade={() => setOffset(0)} />
        </div>
      )}
    </>
  )
}

function NewSubscription({ onMade }: { onMade: () => void }) {
  const client = useQueryClient()
  const form = useFormWork()
  const create = form.sends(async (field, sent) => {
    await followFound({
      url: field('url').trim(),
      monthlyCap: dollarsOf(field),
      backlog: Number(field('backlog') || '0'),
      ...(field('every') === '' ? {} : { everyHours: Number(field('every')) }),
    })
    sent.reset()
    onMade()
    await client.invalidateQueries({ queryKey: ['following'] })
  })
  return (
    <Section
      title="Follow a channel or playlist"
      about="We check hourly to daily, depending on how often it publishes. You pay only for what is delivered."
    >
      <form
        onSubmit={create}
        className="grid items-start gap-4 sm:grid-cols-3 lg:grid-cols-[minmax(0,1fr)_11.5rem_11.5rem_11.5rem]"
      >
        <Field
          label="Channel or playlist"
          name="url"
          required
          maxLength={4096}
          placeholder="https://www.youtube.com/@channel"
          autoComplete="off"
          className="sm:col-span-3 lg:col-span-1"
        />
        <MonthlyLimit
          required
          defaultValue="2.00"
          hint="Videos beyond it wait for the next month (UTC)."
        />
        <Field
          label="Also get earlier videos"
          name="backlog"
          type="number"
          min={0}
          max={500}
          defaultValue="0"
          hint="How many of the latest."
        />
        <Interval hint="Empty: as often as it publishes." />
        <div className="sm:col-span-full">
          <Button type="submit" kind="primary" isBusy={form.isBusy}>
            Follow
          </Button>
          <FormError error={form.error} />
        </div>
      </form>
    </Section>
  )
}
