/** Leads to the orders that brought what an order leaves out; nothing where none did. */
import { Fragment } from 'react'
import type { PreviewSource } from '../api/client.ts'
import { count, day } from '../format.ts'
import { TextLink } from './text-link.tsx'

/** Most orders that are named; the others are counted. */
const NAMED_MAX = 3

/** Names each order once, however many lines it brought. */
export function OwnedFrom({ sources }: { sources: readonly Pick<PreviewSource, 'ownedFrom'>[] }) {
  const orders = new Map(
    sources.flatMap(({ ownedFrom: from }) => (from === undefined ? [] : [[from.jobId, from]])),
  )
  if (orders.size === 0) return null
  const named = [...orders.values()].slice(0, NAMED_MAX)
  return (
    <>
      Owned from:{' '}
      {named.map(({ jobId, since }, at) => (
        <Fragment key={jobId}>
          {at > 0 && ', '}
          <TextLink to="/jobs/$id" params={{ id: jobId }}>
            order of {day(since)}
          </TextLink>
        </Fragment>
      ))}
      {orders.size > NAMED_MAX && ` and ${count(orders.size - NAMED_MAX)} more`}
    </>
  )
}
