/** Every tool that agents may call, under its name. */
import { getBalanceTool } from './tools/balance.ts'
import { cancelJobTool, getJobTool, listJobsTool } from './tools/jobs.ts'
import { previewJobTool } from './tools/preview-job.ts'
import { searchTranscriptsTool } from './tools/search.ts'
import { startJobTool } from './tools/start-job.ts'
import { listResultsTool, readTranscriptTool } from './tools/transcripts.ts'
import type { AppScope } from '../model/oauth/authorization.ts'
import type { Tool, ToolContext, ToolDescription } from './tool.ts'

export type ToolBox = { descriptions: ToolDescription[]; byName: ReadonlyMap<string, Tool> }

/** Opens the tools, in the order of a job. */
export function openToolBox(ctx: ToolContext): ToolBox {
  const tools = [
    previewJobTool(ctx),
    startJobTool(ctx),
    getJobTool(ctx),
    listResultsTool(ctx),
    readTranscriptTool(ctx),
    searchTranscriptsTool(ctx),
    listJobsTool(ctx),
    cancelJobTool(ctx),
    getBalanceTool(ctx),
  ]
  return {
    descriptions: tools.map(({ description }) => description),
    byName: new Map(tools.map((tool) => [tool.description.name, tool])),
  }
}

/** Returns the scope that an app must have for this message; null for a message that only tells it how to go on. */
export function scopeOf(message: unknown, { byName }: ToolBox): AppScope | null {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } }
  if (method === 'resources/read') return 'transcripts:read'
  if (method !== 'tools/call') return null
  return byName.get(String(params?.name))?.scope ?? null
}
