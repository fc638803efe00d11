/** Subscriptions as pages read and change them. */
import { queryOptions } from '@tanstack/react-query'
import type {
  Subscription,
  SubscriptionChange,
  SubscriptionList,
  SubscriptionRequest,
} from '../../../clients/typescript/src/schema.ts'
import { publicApi } from './client.ts'

export type { Subscription }

export const FOLLOWED_PAGE = 20
/** Interval while a first look is about to happen. */
const FIRST_LOOK_MS = 1_000
const LATER_MS = 30_000

export const followedQuery = (offset: number) =>
  queryOptions({
    queryKey: ['following', offset],
    queryFn: () =>
      publicApi.json<SubscriptionList>({
        method: 'GET',
        path: '/subscriptions',
        query: { offset, limit: FOLLOWED_PAGE },
      }),
    refetchInterval: ({ state }) =>
      state.data?.subscriptions.some(isAboutToLook) === true ? FIRST_LOOK_MS : LATER_MS,
    placeholderData: (before) => before,
  })

function isAboutToLook({ nextLookAt }: Subscription): boolean {
  return nextLookAt !== null && Date.parse(nextLookAt) <= Date.now()
}

/** The request is sent once: a repeat after a lost answer would be refused, as if the reader had made a mistake. */
export const follow = (body: SubscriptionRequest) =>
  publicApi.json<Subscription>({ method: 'POST', path: '/subscriptions', body, maxRetries: 0 })

export const changeFollowed = (id: string, body: SubscriptionChange) =>
  publicApi.json<Subscription>({ method: 'PATCH', path: `/subscriptions/${id}`, body })

export const unfollow = (id: string) =>
  publicApi.json<null>({ method: 'DELETE', path: `/subscriptions/${id}` })
