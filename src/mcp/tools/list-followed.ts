/** The tool `list_followed`: what is followed, and what each spent this month. */
import { Type } from 'typebox'
import { closedObject, pagingOf } from '../../api/contract.ts'
import { readSubscriptions } from '../../features/follow/subscriptions.ts'
import { pageInfo } from '../../kit/page.ts'
import { listAnswer } from '../answers.ts'
import { FollowedFields, summaryOfFollowed } from '../followed.ts'
import { defineTool, jsonAnswer, READS } from '../tool.ts'

const LISTED = 20
const MCP_FOLLOWED_MAX = 100

export const listFollowedTool = defineTool({
  name: 'list_followed',
  title: 'List followed',
  description: 'What is followed, and what each spent this month: finds a subscriptionId again.',
  output: listAnswer({ followed: Type.Array(closedObject(FollowedFields)) }),
  shows: ['followed', 'nextOffset'],
  input: closedObject(pagingOf({ limit: LISTED, limitMax: MCP_FOLLOWED_MAX })),
  needs: ['everything'],
  hints: READS,
  async run({ offset = 0, limit = LISTED }, { accountId }, { db }) {
    const { total, subscriptions } = await readSubscriptions(db, { accountId, offset, limit })
    const page = pageInfo({ offset, limit }, total)
    return jsonAnswer({ ...page, followed: subscriptions.map(summaryOfFollowed) })
  },
})
