/**
 * The tool `search`, the first of the pair by which connectors such as ChatGPT's read a source: one text in, results
 * with exactly these three fields out (developers.openai.com/apps-sdk, docs/mcp, as of 2026-06).
 */
import { Type } from 'typebox'
import { closedObject } from '../../api/contract.ts'
import { searchQuestion, urlAt } from '../../api/search/question.ts'
import { SearchFields } from '../../api/search/schema.ts'
import { textField } from '../answers.ts'
import { INSTEAD } from '../next-steps.ts'
import { briefly, defineTool, jsonAnswer, READS } from '../tool.ts'

const FOUND = 20

const input = closedObject({ query: briefly(SearchFields.properties.q) })
const output = closedObject({
  results: Type.Array(closedObject({ id: textField, title: textField, url: textField })),
})

export const searchTool = defineTool({
  name: 'search',
  title: 'Search for connectors',
  description: `Finds texts that you own by words that are all said in them. ${INSTEAD.search}`,
  input,
  output,
  shows: ['results'],
  needs: ['transcripts:read'],
  hints: READS,
  async run({ query }, { accountId }, { search }) {
    const question = searchQuestion({ q: query, limit: FOUND })
    const { hits } = await search.findInAll(accountId, question)
    const results = hits.map(({ jobId, index, title, videoId, ...hit }) => ({
      id: `${jobId}/${index}`,
      title: title ?? videoId,
      url: urlAt(hit),
    }))
    return jsonAnswer({ results })
  },
})
