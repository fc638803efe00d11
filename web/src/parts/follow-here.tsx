/** Following a channel or playlist where the wish arises: on its own page, to which a job that fetched it leads. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { collectionAddress } from '../addresses.ts'
import type { Collection } from '../api/client.ts'
import { followedQuery, followFound, type Subscription } from '../api/following.ts'
import { Button } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { dollarsOf, MonthlyLimit } from './terms.tsx'
import { TextLink } from './text-link.tsx'

/** Whether the account follows the collection; null until that is known, and of a project. */
export function useIsFollowed(collection: Collection): boolean | null {
  const { data } = useQuery({ ...followedQuery(0), enabled: collection.kind !== 'project' })
  return data?.subscriptions.some((one) => isOf(one, collection)) ?? null
}

export function FollowForm({ collection, onEnd }: { collection: Collection; onEnd: () => void }) {
  const client = useQueryClient()
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    await followFound({ url: collectionAddress(collection), monthlyCap: dollarsOf(field) })
    await client.invalidateQueries({ queryKey: ['following'] })
    onEnd()
  })
  return (
    <form
      aria-label="Follow new videos"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      className="flex w-full flex-wrap items-end gap-3"
    >
      <MonthlyLimit required autoFocus defaultValue="2.00" className="w-40" />
      <Button type="submit" kind="primary" isBusy={form.isBusy}>
        Follow
      </Button>
      <Button onClick={onEnd}>Cancel</Button>
      <FormError error={form.error} />
    </form>
  )
}

const FOLLOW_HASH = 'follow'

/** Whether the page was opened by a link that leads to its form. */
export const isFollowAsked = () => location.hash === `#${FOLLOW_HASH}`

/** Leads to where the collection is followed; nothing is shown where it is followed already. */
export function FollowLink({ collection }: { collection: Collection }) {
  if (useIsFollowed(collection) !== false) return null
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
