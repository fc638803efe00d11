/** The tool `unfollow`: ends following. */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { removeSubscription } from '../../features/follow/subscriptions.ts'
import { found } from '../../kit/problem.ts'
import { textField } from '../answers.ts'
import { NOT_FOLLOWED } from '../next-steps.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

export const unfollowTool = defineTool({
  name: 'unfollow',
  title: 'Unfollow',
  description: 'Ends following. Transcripts stay.',
  input: closedObject({ subscriptionId: Type.String() }),
  output: closedObject({ subscriptionId: textField, isFollowed: Type.Boolean() }),
  shows: ['isFollowed'],
  needs: ['everything'],
  hints: { ...READS, readOnlyHint: false, destructiveHint: true },
  async run({ subscriptionId }, { accountId }, { db }) {
    const isRemoved = await removeSubscription(db, { accountId, subscriptionId })
    found(isRemoved || null, NOT_FOLLOWED)
    return jsonAnswer({ subscriptionId, isFollowed: false })
  },
})
