/** Subscriptions as pages read and change them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  Subscription,
  SubscriptionChange,
  SubscriptionList,
  SubscriptionRequest,
} from '../../../clients/typescript/src/schema.ts'
import { publicApi, read } from './client.ts'

export type { Subscription }

export const FOLLOWED_PAGE = 20
/** Interval while a first look is about to happen. */
const FIRST_LOOK_MS = 500
const LATER_MS = 30_000

export const followedQuery = (offset: number) =>
  queryOptions({
    queryKey: ['following', offset],
    queryFn: () => read<SubscriptionList>('/subscriptions', { offset, limit: FOLLOWED_PAGE }),
    refetchInterval: ({ state }) =>
      state.data?.subscriptions.some(isAboutToLook) === true ? FIRST_LOOK_MS : LATER_MS,
    placeholderData: keepPreviousData,
  })

function isAboutToLook({ nextLookAt }: Subscription): boolean {
  return nextLookAt !== null && Date.parse(nextLookAt) <= Date.now()
}

/** Whether the platform said of a list that it never saw that there is none; the API asks on for two days. */
export const isNeverFound = ({ neverFound }: Subscription): boolean => neverFound === true

/** The request is sent once: a repeat after a lost answer would be refused, as if the reader had made a mistake. */
const follow = (body: SubscriptionRequest) =>
  publicApi.json<Subscription>({ method: 'POST', path: '/subscriptions', body, maxRetries: 0 })

const WAITED_MS_MAX = 10_000
const NOT_FOUND = 'The platform has no such channel or playlist. Check the address.'

/**
 * Follows a list and waits a moment for the first look at it. Where the platform has no such list, nothing is followed,
 * and that is thrown.
 */
export async function followFound(body: SubscriptionRequest): Promise<void> {
  let made = await follow(body)
  for (let waited = 0; isUnseen(made) && waited < WAITED_MS_MAX; waited += FIRST_LOOK_MS) {
    await new Promise((go) => setTimeout(go, FIRST_LOOK_MS))
    made = await read<Subscription>(`/subscriptions/${made.id}`)
  }
  if (!isNeverFound(made)) return
  await unfollow(made.id)
  throw new Error(NOT_FOUND)
}

function isUnseen({ lastLookedAt, notice, state }: Subscription): boolean {
  return lastLookedAt === null && notice === null && state === 'active'
}

export const changeFollowed = (id: string, body: SubscriptionChange) =>
  publicApi.json<Subscription>({ method: 'PATCH', path: `/subscriptions/${id}`, body })

export const unfollow = (id: string) =>
  publicApi.json<null>({ method: 'DELETE', path: `/subscriptions/${id}` })
