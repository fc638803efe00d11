/** Following a channel or playlist where the wish arises: on its own page, to which a job that fetched it leads. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { collectionAddress } from '../addresses.ts'
import type { Collection } from '../api/client.ts'
import { followedQuery, followFound, type Subscription } from '../api/following.ts'
import { Button, buttonLook } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { dollarsOf, MonthlyLimit } from './terms.tsx'
import { TextLink } from './text-link.tsx'

export function FollowHere({ collection }: { collection: Collection }) {
  const { data: page } = useQuery(followedQuery(0))
  const client = useQueryClient()
  const form = useFormWork()
  if (page === undefined) return <span aria-hidden className="min-h-9 w-40" />
  if (page.subscriptions.some((one) => isOf(one, collection)))
    return (
      <p className="self-center text-sm text-muted">
        You are <TextLink to="/following">following</TextLink> this.
      </p>
    )
  const submit = form.sends(async (field) => {
    await followFound({ url: collectionAddress(collection), monthlyCap: dollarsOf(field) })
    await client.invalidateQueries({ queryKey: ['following'] })
  })
  return (
    <details open={location.hash === `#${FOLLOW_HASH}`}>
      <summary className={`${buttonLook('plain', 'small')} list-none`}>Follow new videos</summary>
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-3">
        <MonthlyLimit required defaultValue="2.00" className="w-40" />
        <Button type="submit" kind="primary" isBusy={form.isBusy}>
          Follow
        </Button>
        <FormError error={form.error} />
      </form>
    </details>
  )
}

const FOLLOW_HASH = 'follow'

/** Leads to where the collection is followed; nothing is shown where it is followed already. */
export function FollowLink({ collection }: { collection: Collection }) {
  const { data: page } = useQuery(followedQuery(0))
  if (page === undefined || page.subscriptions.some((one) => isOf(one, collection))) return null
  return (
    <>
      {' · '}
      <TextLink to="/library/$id" params={{ id: collection.id }} hash={FOLLOW_HASH}>
        Follow new videos
      </TextLink>
    </>
  )
}

/** Whether a subscription is for the collection: its address names the id, or else it is called the same. */
function isOf({ url, title }: Subscription, collection: Collection): boolean {
  return url.includes(collection.id) || (title !== null && title === collection.title)
}
