/** Following a channel or playlist where the wish arises: on its own page, to which a job that fetched it leads. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { collectionAddress } from '../addresses.ts'
import type { CollectionDetail } from '../api/client.ts'
import { followedQuery, followFound, type Subscription } from '../api/following.ts'
import { FIELD_NAMES } from '../words.ts'
import { Button, buttonLook, Field } from './controls.tsx'
import { fieldsOf, FormError, useFormWork } from './entrance.tsx'

type Followed = Pick<CollectionDetail, 'id' | 'kind' | 'title'>

export function FollowHere({ collection }: { collection: Followed }) {
  const { data: page } = useQuery(followedQuery(0))
  const client = useQueryClient()
  const form = useFormWork()
  if (page === undefined) return null
  if (page.subscriptions.some((one) => isOf(one, collection)))
    return (
      <p className="self-center text-sm text-muted">
        You are{' '}
        <Link to="/following" className="link">
          following
        </Link>{' '}
        this.
      </p>
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const monthlyCap = fieldsOf(event)('cap').trim().replace(/^\$/, '')
    void form.run(async () => {
      await followFound({ url: collectionAddress(collection), monthlyCap })
      await client.invalidateQueries({ queryKey: ['following'] })
    })
  }
  return (
    <details open={location.hash === `#${FOLLOW_HASH}`}>
      <summary className={`${buttonLook('plain', 'small')} list-none`}>Follow new videos</summary>
      <form onSubmit={submit} className="mt-3 flex flex-wrap items-end gap-3">
        <Field
          label={FIELD_NAMES.monthlyLimit}
          name="cap"
          required
          inputMode="decimal"
          maxLength={16}
          defaultValue="2.00"
          autoComplete="off"
          className="w-40"
        />
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
export function FollowLink({ collection }: { collection: Followed }) {
  const { data: page } = useQuery(followedQuery(0))
  if (page === undefined || page.subscriptions.some((one) => isOf(one, collection))) return null
  return (
    <>
      {' · '}
      <Link to="/library/$id" params={{ id: collection.id }} hash={FOLLOW_HASH} className="link">
        Follow new videos
      </Link>
    </>
  )
}

/** Whether a subscription is for the collection: its address names the id, or else it is called the same. */
function isOf({ url, title }: Subscription, collection: Followed): boolean {
  return url.includes(collection.id) || (title !== null && title === collection.title)
}
